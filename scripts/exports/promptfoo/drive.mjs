// Judge items with exported transforms in assertions of promptfoo: drive.mjs JOBS RESULTS.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// The answer of each test, as if a model had given it.
const ANSWERS = `export default class {
  id() { return "answers"; }
  async callApi(prompt, { vars }) { return { output: vars.answer ?? "" }; }
}
`;
const OPTIONS = ["-o", "out.json", "--no-cache", "--no-table", "--no-progress-bar", "-j", "4"];
const SOME_TESTS_DID_NOT_PASS = 100;

const [jobsFile, resultsFile] = process.argv.slice(2);
const jobs = JSON.parse(readFileSync(jobsFile, "utf8"));
const folder = mkdtempSync(join(process.cwd(), "work", "eval-"));
writeFileSync(join(folder, "answers.mjs"), ANSWERS);
const config = { prompts: ["unused"], providers: ["file://answers.mjs"], tests: jobs.flatMap(testsOf) };
writeFileSync(join(folder, "promptfooconfig.json"), JSON.stringify(config));
evaluate();
const outcome = JSON.parse(readFileSync(join(folder, "out.json"), "utf8"));
const verdicts = Object.fromEntries(jobs.map((job) => [job.judge, {}]));
for (const each of outcome.results.results) {
  const { judge, id } = each.testCase.metadata;
  verdicts[judge][id] = verdictOf(each);
}
writeFileSync(resultsFile, JSON.stringify(verdicts));

function testsOf(job, number) {
  copyFileSync(job.file, join(folder, `exported_${number}.py`));
  // Each judge has a server of its own here; elsewhere it is judge.py itself that an assertion names.
  const served = `import os\nos.environ["OPENAI_BASE_URL"] = ${JSON.stringify(job.base_url)}\n`;
  const path = `import sys\nsys.path.insert(0, ${JSON.stringify(folder)})\n`;
  writeFileSync(join(folder, `judge_${number}.py`), `${served}${path}from exported_${number} import get_transform\n`);
  const told = { type: "javascript", transform: `file://judge_${number}.py`, value: "({ pass: true, score: 1, reason: output })" };
  return job.items.map(({ id, inputs }) => ({
    vars: inputs,
    assert: [told],
    options: { disableVarExpansion: true },
    metadata: { judge: job.judge, id },
  }));
}

function evaluate() {
  const entry = join(process.cwd(), "node_modules", "promptfoo", "dist", "src", "entrypoint.js");
  try {
    execFileSync(process.execPath, [entry, "eval", "-c", "promptfooconfig.json", ...OPTIONS], { cwd: folder, stdio: "inherit" });
  } catch (error) {
    if (error.status !== SOME_TESTS_DID_NOT_PASS) throw error;
  }
}

function verdictOf(result) {
  const passed = result.failureReason === 0; // 1: failed, 2: an error
  const unscored = /UNSCORED (\w+)/.exec(result.error ?? "");
  return {
    label: passed ? result.gradingResult.componentResults[0].reason : null,
    unscored: result.failureReason === 2 && unscored ? unscored[1] : `not an error: ${result.error}`,
  };
}
