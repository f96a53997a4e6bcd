import asyncio
import json
import shlex
import sys
import textwrap
import time
from pathlib import Path

import pytest

from calibrate.config import Secret, Settings, redact
from calibrate.domain import ModelRequest, request_key
from calibrate.errors import InputError, ProviderError
from calibrate.providers.code_judges import CommandJudge, FunctionJudge

ITEM = {"id": "007", "dimension": "faithfulness", "inputs": {"answer": "Sí.", "context": ["one", "two"]}}
REQUEST = ModelRequest(system="ignored", user="ignored", item=ITEM)


@pytest.fixture
def write(tmp_path, monkeypatch, request):
    """Writes a module of the user's into their directory and returns its name; it is forgotten afterwards."""
    written = []

    def module(source):
        name = f"judges_of_{abs(hash(request.node.nodeid))}_{len(written)}"
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(source), encoding="utf-8")
        written.append(name)
        return name

    yield module
    for name in written:
        sys.modules.pop(name, None)


def judged(judge, request=REQUEST):
    return asyncio.run(judge.complete(request))


class TestFunctions:
    def test_a_sync_function_gets_the_item_and_may_change_it(self, write, tmp_path):
        module = write(
            """
            import json
            def judge(item):
                reasoning = json.dumps(item, sort_keys=True)
                item["inputs"].clear()
                return {"label": "1", "reasoning": reasoning}
            """
        )
        response = judged(FunctionJudge(f"py:{module}:judge", tmp_path))
        reply = json.loads(response.text)
        assert json.loads(reply["reasoning"]) == ITEM
        assert ITEM["inputs"]["answer"] == "Sí."
        assert (response.finish, response.cost, response.model) == ("stop", None, f"py:{module}:judge")

    def test_an_async_function_is_awaited(self, write, tmp_path):
        module = write(
            """
            import asyncio
            async def judge(item):
                await asyncio.sleep(0)
                return item["id"] == "007"
            """
        )
        assert json.loads(judged(FunctionJudge(f"py:{module}:judge", tmp_path)).text)["label"] is True

    def test_an_object_whose_call_is_async_is_awaited(self, write, tmp_path):
        module = write(
            """
            class Judge:
                async def __call__(self, item):
                    return "1"
            judge = Judge()
            """
        )
        assert json.loads(judged(FunctionJudge(f"py:{module}:judge", tmp_path)).text)["label"] == "1"

    def test_a_method_is_named_with_dots(self, write, tmp_path):
        module = write(
            """
            class Judges:
                @staticmethod
                def strict(item):
                    return 0
            """
        )
        assert json.loads(judged(FunctionJudge(f"py:{module}:Judges.strict", tmp_path)).text)["label"] == 0

    def test_sync_functions_run_at_the_same_time(self, write, tmp_path):
        module = write(
            """
            import threading
            together = threading.Barrier(4, timeout=20)
            def judge(item):
                together.wait()
                return "1"
            """
        )

        async def run():
            judge = FunctionJudge(f"py:{module}:judge", tmp_path)
            return await asyncio.gather(*(judge.complete(REQUEST) for _ in range(4)))

        assert len(asyncio.run(run())) == 4

    @pytest.mark.parametrize(
        ("returned", "reply"),
        [
            ("'faithful'", {"label": "faithful"}),
            ("True", {"reasoning": "", "label": True}),
            ("0", {"reasoning": "", "label": 0}),
            ("4.5", {"reasoning": "", "label": 4.5}),
            ("('1', 'It holds.')", {"reasoning": "It holds.", "label": "1"}),
            ("{'label': '0', 'confidence': 0.9}", {"reasoning": "", "label": "0", "confidence": 0.9}),
            ("Scored('1', 'It holds.', 0.75)", {"reasoning": "It holds.", "label": "1", "confidence": 0.75}),
            ("Scored('1')", {"reasoning": "", "label": "1"}),
            ("Unscored('abstained', 'No context.')", {"reasoning": "No context.", "label": "CANNOT_ASSESS"}),
            ("numpy.int64(1)", {"reasoning": "", "label": 1}),
            ("numpy.bool_(False)", {"reasoning": "", "label": False}),
            ("""'{"reasoning": "raw", "label": "1"}'""", {"reasoning": "raw", "label": "1"}),
        ],
    )
    def test_what_a_function_may_return(self, write, tmp_path, returned, reply):
        module = write(
            f"""
            import numpy
            from calibrate.domain import Scored, Unscored
            def judge(item):
                return {returned}
            """
        )
        assert json.loads(judged(FunctionJudge(f"py:{module}:judge", tmp_path)).text) == reply

    def test_a_raw_reply_of_several_lines_stays_as_it_is(self, write, tmp_path):
        module = write("def judge(item): return 'It holds.\\nLabel: 1'")
        assert judged(FunctionJudge(f"py:{module}:judge", tmp_path)).text == "It holds.\nLabel: 1"

    @pytest.mark.parametrize(
        ("verdict", "finish"), [("refused", "refusal"), ("truncated", "length"), ("invalid", "stop")]
    )
    def test_an_unscored_verdict_keeps_its_reason_and_quotes_no_label(self, write, tmp_path, verdict, finish):
        module = write(
            f"""
            from calibrate.domain import Unscored
            def judge(item):
                return Unscored({verdict!r}, 'label: 1')
            """
        )
        response = judged(FunctionJudge(f"py:{module}:judge", tmp_path))
        assert (response.text, response.finish) == ("", finish)

    @pytest.mark.parametrize(
        ("returned", "said"),
        [
            ("None", "returned None: return a label"),
            ("[1]", r"returned \[1\]: return a label"),
            ("float('nan')", "returned nan"),
            ("float('inf')", "returned inf"),
            ("{'score': 1}", "returned a mapping without 'label'"),
            ("Unscored('error', 'the model was down')", "the model was down"),
        ],
    )
    def test_what_is_no_verdict_is_an_error_that_names_the_function(self, write, tmp_path, returned, said):
        module = write(
            f"""
            from calibrate.domain import Unscored
            def judge(item):
                return {returned}
            """
        )
        with pytest.raises(ProviderError, match=rf"^py:{module}:judge:? {said}"):
            judged(FunctionJudge(f"py:{module}:judge", tmp_path))

    @pytest.mark.parametrize("kind", ["def", "async def"])
    @pytest.mark.parametrize(
        ("raised", "said"),
        [
            ("ValueError('two\\nlines')", "ValueError: two lines"),
            ("StopIteration()", "StopIteration.*"),
            ("SystemExit(3)", "SystemExit: 3"),
            ("__import__('asyncio').CancelledError()", "CancelledError.*"),
            ("GeneratorExit()", "GeneratorExit.*"),
            ("BaseException('odd')", "BaseException: odd"),
        ],
    )
    def test_an_exception_names_function_and_exception(self, write, tmp_path, kind, raised, said):
        module = write(f"{kind} judge(item): raise {raised}")
        with pytest.raises(ProviderError, match=rf"^py:{module}:judge raised .*{said}$"):
            judged(FunctionJudge(f"py:{module}:judge", tmp_path))

    def test_a_keyboard_interrupt_in_a_thread_is_the_functions_own(self, write, tmp_path):
        module = write("def judge(item): raise KeyboardInterrupt")
        with pytest.raises(ProviderError, match="raised KeyboardInterrupt"):
            judged(FunctionJudge(f"py:{module}:judge", tmp_path))

    def test_a_function_that_cancels_itself_fails_its_item_only(self, write, tmp_path):
        module = write(
            """
            import asyncio
            async def judge(item):
                asyncio.current_task().cancel()
                await asyncio.sleep(0)
            """
        )
        with pytest.raises(ProviderError, match="raised CancelledError"):
            judged(FunctionJudge(f"py:{module}:judge", tmp_path))

    def test_our_cancellation_reaches_the_function_and_stays_one(self, write, tmp_path):
        module = write(
            """
            import asyncio
            events = []
            async def judge(item):
                events.append("started")
                try:
                    await asyncio.Event().wait()
                finally:
                    events.append("ended")
            """
        )

        async def run():
            task = asyncio.create_task(FunctionJudge(f"py:{module}:judge", tmp_path).complete(REQUEST))
            while not sys.modules.get(module) or not sys.modules[module].events:
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(run())
        assert sys.modules[module].events == ["started", "ended"]

    @pytest.mark.parametrize("kind", ["def", "async def"])
    def test_what_it_prints_goes_to_standard_error(self, write, tmp_path, capsys, kind):
        module = write(
            f"""
            print("importing")
            {kind} judge(item):
                print("judging")
                return "1"
            """
        )
        judged(FunctionJudge(f"py:{module}:judge", tmp_path))
        print("the document")
        assert tuple(capsys.readouterr()) == ("the document\n", "importing\njudging\n")

    def test_so_does_what_is_printed_by_several_at_once(self, write, tmp_path, capsys):
        """The first to start is the first to end, and the others go on printing."""
        module = write(
            """
            import itertools, threading
            turn, together = itertools.count(), threading.Barrier(4, timeout=20)
            ended = [threading.Event() for _ in range(4)]
            def judge(item):
                mine = next(turn)
                together.wait()
                if mine:
                    ended[mine - 1].wait(20)
                print("judging")
                threading.Timer(0.02, ended[mine].set).start()
                return "1"
            """
        )

        async def run():
            judge = FunctionJudge(f"py:{module}:judge", tmp_path)
            return await asyncio.gather(*(judge.complete(REQUEST) for _ in range(4)))

        asyncio.run(run())
        print("the document")
        assert tuple(capsys.readouterr()) == ("the document\n", "judging\n" * 4)

    def test_a_stream_that_was_put_in_place_meanwhile_stays(self, write, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "stdout", sys.stdout)  # put back at the end
        module = write(
            """
            import io, sys
            mine = io.StringIO()
            def judge(item):
                sys.stdout = mine
                return "1"
            """
        )
        judged(FunctionJudge(f"py:{module}:judge", tmp_path))
        assert sys.stdout is sys.modules[module].mine

    def test_half_a_surrogate_pair_in_a_reply_is_replaced(self, write, tmp_path):
        module = write("def judge(item): return ('1', 'a \\ud800 b')")
        reply = json.loads(judged(FunctionJudge(f"py:{module}:judge", tmp_path)).text)
        assert reply["reasoning"] == "a \ufffd b"

    def test_a_key_in_an_exception_is_redacted(self, write, tmp_path):
        module = write("def judge(item): raise RuntimeError('bad key sk-secret')")
        settings = Settings(openai_key=Secret("sk-secret"))
        judge = FunctionJudge(f"py:{module}:judge", tmp_path, lambda text: redact(text, settings))
        with pytest.raises(ProviderError, match=r"RuntimeError: bad key \[redacted\]$"):
            judged(judge)

    @pytest.mark.parametrize("name", ["py:", "py:judges", "py::judge", "py:judges:"])
    def test_a_name_that_is_incomplete_says_how_to_write_it(self, name, tmp_path):
        with pytest.raises(InputError, match="write py:module:function"):
            FunctionJudge(name, tmp_path)

    def test_a_module_that_is_not_there_is_bad_input(self, tmp_path):
        with pytest.raises(InputError, match=r"'no_such_module' cannot be imported \(ModuleNotFoundError"):
            FunctionJudge("py:no_such_module:judge", tmp_path)

    def test_a_module_that_fails_is_bad_input(self, write, tmp_path):
        module = write("import asyncio; raise asyncio.CancelledError")
        with pytest.raises(InputError, match=r"cannot be imported \(CancelledError"):
            FunctionJudge(f"py:{module}:judge", tmp_path)
        module = write("1 / 0")
        with pytest.raises(InputError, match=r"cannot be imported \(ZeroDivisionError: division by zero\)"):
            FunctionJudge(f"py:{module}:judge", tmp_path)

    def test_a_function_that_is_not_there_is_bad_input(self, write, tmp_path):
        module = write("judge = 3")
        for function in ("judge", "other", "judge.other"):
            with pytest.raises(InputError, match=f"has no function '{function}'"):
                FunctionJudge(f"py:{module}:{function}", tmp_path)

    def test_the_directory_is_on_the_path_while_importing_only(self, write, tmp_path):
        helper = write("LABEL = 'from the helper'")
        module = write(f"import {helper}\ndef judge(item): return {helper}.LABEL")
        before = list(sys.path)
        judge = FunctionJudge(f"py:{module}:judge", tmp_path)
        assert sys.path == before
        assert json.loads(judged(judge).text) == {"label": "from the helper"}

    def test_identity_changes_with_the_source(self, write, tmp_path):
        one, two = write("def judge(item): return 1"), write("def judge(item): return 0")
        same = write("def judge(item): return 1")
        digests = [FunctionJudge(f"py:{module}:judge", tmp_path).identity["source"] for module in (one, two, same)]
        assert digests[0] == digests[2] != digests[1]

    def test_a_request_without_an_item_is_bad_input(self, write, tmp_path):
        judge = FunctionJudge(f"py:{write('def judge(item): return 1')}:judge", tmp_path)
        with pytest.raises(InputError, match="judges items"):
            judged(judge, ModelRequest(system="s", user="u"))


def python(script):
    return f"exec:{shlex.quote(sys.executable)} -c {shlex.quote(textwrap.dedent(script))}"


class TestCommands:
    def test_the_item_comes_in_as_one_line_of_json(self, tmp_path):
        script = """
        import json, sys
        lines = sys.stdin.read().split("\\n")
        item = json.loads(lines[0])
        print(json.dumps({"label": item["id"], "reasoning": item["inputs"]["answer"] + str(len(lines))}))
        """
        response = judged(CommandJudge(python(script), tmp_path))
        assert json.loads(response.text) == {"label": "007", "reasoning": "Sí.2"}
        assert (response.finish, response.cost) == ("stop", None)

    def test_a_bare_label_is_a_reply(self, tmp_path):
        assert json.loads(judged(CommandJudge("exec:echo 1", tmp_path)).text) == {"label": "1"}

    def test_there_is_no_shell(self, tmp_path):
        assert json.loads(judged(CommandJudge("exec:echo $HOME && rm -rf x", tmp_path)).text) == {
            "label": "$HOME && rm -rf x"
        }

    def test_a_program_that_does_not_read_its_input_is_fine(self, tmp_path):
        long = ModelRequest(system="", user="", item={**ITEM, "inputs": {"answer": "x" * 1_000_000}})
        assert json.loads(judged(CommandJudge("exec:echo 1", tmp_path), long).text) == {"label": "1"}

    def test_no_output_is_an_empty_reply(self, tmp_path):
        assert judged(CommandJudge("exec:true", tmp_path)).text == ""

    def test_output_that_is_no_text_is_no_crash(self, tmp_path):
        judge = CommandJudge(python("import sys; sys.stdout.buffer.write(b'\\xff')"), tmp_path)
        assert json.loads(judged(judge).text) == {"label": "\ufffd"}

    @pytest.mark.parametrize(
        ("script", "said"),
        [
            ("import sys; print(1); sys.exit(3)", "exit status 3: nothing on standard error"),
            ("import sys; sys.exit('first\\nlast\\n')", "exit status 1: last"),
            ("raise ValueError('bad key sk-secret')", r"exit status 1: ValueError: bad key \[redacted\]"),
            ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "exit status -9"),
        ],
    )
    def test_a_failing_process_is_an_error_with_its_last_words(self, tmp_path, script, said):
        settings = Settings(openai_key=Secret("sk-secret"))
        judge = CommandJudge(python(script), tmp_path, lambda text: redact(text, settings))
        with pytest.raises(ProviderError, match=rf"{said}"):
            judged(judge)

    @pytest.mark.slow
    def test_a_process_that_takes_too_long_is_ended_with_its_children(self, tmp_path):
        judge = CommandJudge("exec:sh -c 'sleep 600 & echo $! > child; wait'", tmp_path, timeout=1.0)
        with pytest.raises(ProviderError, match="no answer within 1 s"):
            judged(judge)
        assert has_ended(tmp_path / "child")

    def test_cancelling_ends_the_process(self, tmp_path):
        async def run():
            task = asyncio.create_task(CommandJudge(python(script), tmp_path).complete(REQUEST))
            while not (tmp_path / "started").exists():
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        script = """
        import os, time
        open("pid", "w").write(str(os.getpid()))
        open("started", "w").close()
        time.sleep(600)
        """
        asyncio.run(run())
        assert has_ended(tmp_path / "pid")

    def test_a_script_in_the_directory_is_run_there(self, tmp_path):
        script = tmp_path / "judge.sh"
        script.write_text("#!/bin/sh\npwd\n")
        script.chmod(0o755)
        assert json.loads(judged(CommandJudge("exec:./judge.sh", tmp_path)).text)["label"] == str(tmp_path)

    def test_a_bare_name_is_looked_for_on_the_path_only(self, tmp_path):
        script = tmp_path / "judge.sh"
        script.write_text("#!/bin/sh\necho 1\n")
        script.chmod(0o755)
        with pytest.raises(InputError, match=r"for a file in this directory write \./judge\.sh"):
            CommandJudge("exec:judge.sh", tmp_path)

    def test_a_script_that_cannot_be_started_is_an_error(self, tmp_path):
        script = tmp_path / "judge"
        script.write_text("#!/no/such/interpreter\n")
        script.chmod(0o755)
        with pytest.raises(ProviderError, match="cannot be started"):
            judged(CommandJudge("exec:./judge", tmp_path))

    @pytest.mark.parametrize(
        ("command", "said"),
        [
            ("exec:", "write exec:command"),
            ("exec:  ", "write exec:command"),
            ("exec:'open", r"cannot be split \(No closing quotation\)"),
            ("exec:no-such-program --x", "there is no program 'no-such-program'"),
            ("exec:./no-such-file", "there is no program './no-such-file'"),
        ],
    )
    def test_a_command_that_cannot_be_run_is_bad_input(self, tmp_path, command, said):
        with pytest.raises(InputError, match=said):
            CommandJudge(command, tmp_path)

    def test_identity_changes_with_the_files_the_command_names(self, tmp_path):
        def key():
            return request_key(CommandJudge("exec:cat judge.txt --fast", tmp_path), REQUEST)

        (tmp_path / "judge.txt").write_text("1")
        one = key()
        assert key() == one
        (tmp_path / "judge.txt").write_text("2")
        assert key() != one

    def test_a_request_without_an_item_is_bad_input(self, tmp_path):
        with pytest.raises(InputError, match="judges items"):
            judged(CommandJudge("exec:echo 1", tmp_path), ModelRequest(system="s", user="u"))


def has_ended(file):
    """Whether the process whose number stands in the file is over; the system may need a moment for it."""
    for _ in range(500):
        try:
            state = Path(f"/proc/{file.read_text().strip()}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False
