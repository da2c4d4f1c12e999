"""Bars over days, drawn as SVG on the server.

A chart says in words what it shows; the table beside it has every value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from chat_app.ui.admin.frame import whole
from chat_app.ui.gate import Html, Say, h

WIDE: Final = 720
HIGH: Final = 140


@dataclass(frozen=True, slots=True)
class Series:
    """One part of each bar: its name, the class that gives its colour, and a value for each day."""

    name: str
    look: str
    values: Sequence[int]


def bars(name: str, title: str, labels: Sequence[str], series: Sequence[Series], say: Say) -> Html:
    """Draw stacked bars, one for each label; `name` makes the ids of the page unique."""
    sums = [sum(values) for values in zip(*(one.values for one in series), strict=True)]
    top = max(sums, default=0)
    told = say("admin.chart.told", first=labels[0], last=labels[-1], most=whole(top), total=whole(sum(sums)))
    drawn = [_bar(number, series, top, len(labels)) for number in range(len(labels))]
    axis = h("line", x1=0, x2=WIDE, y1=HIGH, y2=HIGH, class_="chart-axis")
    chart = h(
        "svg",
        h("title", title, id=f"{name}-title"),
        h("desc", told, id=f"{name}-desc"),
        *drawn,
        axis,
        viewBox=f"0 0 {WIDE} {HIGH}",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
    )
    legend = h("p", *(_key(one) for one in series), class_="chart-keys")
    most = h("span", say("admin.chart.most", most=whole(top)), class_="faint")
    caption = h("figcaption", h("b", title), " ", most, legend)
    ends = h("p", h("bdi", labels[0]), h("bdi", labels[-1]), class_="chart-ends")
    return h("figure", caption, chart, ends, class_="chart", dir="ltr")


def _bar(number: int, series: Sequence[Series], top: int, count: int) -> Html:
    step = WIDE / count
    left, width = number * step + step * 0.1, max(step * 0.8, 0.5)
    pieces, foot = [], float(HIGH)
    for one in series:
        height = one.values[number] / top * (HIGH - 4) if top else 0.0
        foot -= height
        if height:
            place = {
                "x": f"{left:.2f}",
                "y": f"{foot:.2f}",
                "width": f"{width:.2f}",
                "height": f"{height:.2f}",
            }
            pieces.append(h("rect", class_=one.look, **place))
    return Html("".join(pieces))


def _key(one: Series) -> Html:
    square = h("rect", width=10, height=10, class_=one.look)
    mark = h("svg", square, viewBox="0 0 10 10", width=10, height=10, aria_hidden="true")
    return h("span", mark, " ", one.name)
