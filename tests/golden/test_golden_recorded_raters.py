"""The raters' columns in a table of recorded verdicts."""

from calibrate.golden import RecordedOptions, load_recorded

HEADER = "id,human,judge,rater_ana,rater_ben,annotator_comment"


def load(tmp_path, header, *rows, **options):
    path = tmp_path / "verdicts.csv"
    path.write_text("\n".join([header, *rows]))
    return load_recorded(path, RecordedOptions(**options))


def test_each_rater_has_a_label_where_there_is_one(tmp_path):
    found = load(tmp_path, "id,human,judge,rater_ana,rater_ben", "a,1,1,1,0", "b,0,1,,0", "c,1,0,,")
    assert found.ratings == ({"rater_ana": "1", "rater_ben": "0"}, {"rater_ben": "0"}, {})
    assert "raters rater_ana, rater_ben" in found.messages
    assert found.gold == "as given in column 'human'"


def test_the_human_column_may_be_one_of_them(tmp_path):
    found = load(tmp_path, "id,judge,rater_ana,rater_ben", "a,1,1,0", "b,0,0,0", human="rater_ana")
    assert found.human == ("1", "0")
    assert found.ratings == ({"rater_ana": "1", "rater_ben": "0"}, {"rater_ana": "0", "rater_ben": "0"})


def test_a_column_that_only_sounds_like_a_raters_is_left_out_and_said(tmp_path):
    found = load(tmp_path, HEADER, "a,1,1,1,0,fine", "b,0,1,0,0,wrong date")
    assert found.ratings[0] == {"rater_ana": "1", "rater_ben": "0"}
    assert "column 'annotator_comment' holds what is no label, left out as a rater's" in found.messages


def test_a_judge_is_no_rater(tmp_path):
    found = load(tmp_path, "id,human,rater_model,rater_ana", "a,1,1,1", "b,0,1,0", judges=("rater_model",))
    assert found.ratings == ({"rater_ana": "1"}, {"rater_ana": "0"})


def test_words_are_mapped_in_the_raters_columns_too(tmp_path):
    found = load(
        tmp_path, "id,human,judge,rater_ana", "a,good,1,good", "b,bad,0,good", aliases={"good": "1", "bad": "0"}
    )
    assert found.ratings == ({"rater_ana": "1"}, {"rater_ana": "1"})


def test_a_table_without_raters(tmp_path):
    found = load(tmp_path, "id,human,judge", "a,1,1", "b,0,1")
    assert found.ratings == ({}, {})
