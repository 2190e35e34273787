import pytest

from grader.source import MAX_BYTES, BadSource, check_source


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        (b"", "empty"),
        (b" \n\t ", "empty"),
        ("", "empty"),
        (b"x = 1\0", "NUL"),
        (b"x = '\xff\xfe'", "UTF-8"),
        ("x = '\udcff'", "UTF-8"),
        ("x = 1\n".encode("utf-16"), "NUL"),
        (b"#" * (2 << 20), "256 KB"),
        ("é" * (MAX_BYTES // 2 + 1), "256 KB"),
    ],
)
def test_what_cannot_be_a_submission_is_refused_with_advice(data: bytes | str, advice: str) -> None:
    with pytest.raises(BadSource, match=advice):
        check_source(data)


def test_text_and_its_bytes_are_one_source() -> None:
    text = "# naïve\nx = 1\n"
    assert check_source(text) == check_source(text.encode()) == text


def test_the_largest_submission_is_taken() -> None:
    assert len(check_source(b"#" * MAX_BYTES)) == MAX_BYTES


def test_windows_line_ends_and_byte_order_marks_are_taken_off() -> None:
    assert check_source(b"\xef\xbb\xbfx = 1\r\ny = 2\rz = 3\n") == "x = 1\ny = 2\nz = 3\n"


def test_the_line_ends_of_a_form_make_no_source_too_large() -> None:
    lines = "#\r\n" * (MAX_BYTES // 2)
    assert len(check_source(lines)) == len(check_source(lines.encode())) == MAX_BYTES
    with pytest.raises(BadSource, match="256 KB"):
        check_source(lines + "#")
