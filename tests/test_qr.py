from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import segno

from komppa.qr import qr_svg


def test_qr_svg_draws_the_modules_of_the_code_with_attributes_alone():
    text = 'https://cup.example.org/?a="<b>&'

    drawn = qr_svg(text)

    svg = ET.fromstring(drawn)
    modules = len(segno.make(text, micro=False).matrix) + 8
    assert svg.attrib == {"viewBox": f"0 0 {modules} {modules}", "class": "qr"}
    assert [set(part.attrib) for part in svg] == [{"fill", "d"}, {"stroke", "d"}]
    assert re.findall("style|example", drawn) == []
