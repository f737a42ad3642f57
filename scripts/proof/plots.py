"""Plots as SVG text: lines over x, linear or logarithmic, with a legend. No package is needed."""

import math
from xml.sax.saxutils import escape

COLOURS = ("#1f6fb4", "#c23b22", "#2a9d4a", "#b07c10", "#7a4fa3", "#3a9ea5", "#888888", "#d0679d", "#555500", "#00a0d0", "#a04000")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 300, 62, 150, 34, 40


def ticks(low, high, is_log):
    if is_log:
        return [10.0 ** e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
                if low * 0.999 <= 10.0 ** e <= high * 1.001]
    if high <= low:
        return [low]
    step = 10.0 ** math.floor(math.log10((high - low) / 4.0))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (step * m) <= 5.0)
    first = math.ceil(low / step - 1e-9)
    return [step * k for k in range(first, math.floor(high / step + 1e-9) + 1)]


def draw(title, series, x_name, y_name, log_x=False, log_y=False):
    """@param series  [(name, [(x, y)])], drawn in that order
    @return the text of an SVG file"""
    series = [(n, [p for p in points if p[1] is not None and (not log_y or p[1] > 0.0)]) for n, points in series]
    series = [s for s in series if s[1]]
    xs, ys = [p[0] for _, s in series for p in s], [p[1] for _, s in series for p in s]
    x0, x1 = min(xs), max(xs)
    y0, y1 = (min(ys), max(ys)) if log_y else (min(0.0, min(ys)), max(ys))
    if log_y:
        y0, y1 = 10.0 ** math.floor(math.log10(y0)), 10.0 ** math.ceil(math.log10(y1) + 1e-9)
    x1, y1 = (x1 if x1 > x0 else x0 + 1.0), (y1 if y1 > y0 else y0 + 1.0)

    def along(v, a, b, is_log):
        return math.log(v / a) / math.log(b / a) if is_log else (v - a) / (b - a)

    def px(x):
        return LEFT + (WIDTH - LEFT - RIGHT) * along(x, x0, x1, log_x)

    def py(y):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * along(y, y0, y1, log_y)

    out = ["<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' "
           "font-family='sans-serif' font-size='12'>" % (WIDTH, HEIGHT, WIDTH, HEIGHT),
           "<rect width='100%' height='100%' fill='white'/>",
           "<text x='%d' y='20' font-size='14'>%s</text>" % (LEFT, escape(title))]
    for y in ticks(y0, y1, log_y):
        out.append("<path d='M%d %.1fH%d' stroke='#ddd'/><text x='%d' y='%.1f' text-anchor='end'>%g</text>" %
                   (LEFT, py(y), WIDTH - RIGHT, LEFT - 6, py(y) + 4, y))
    for x in ticks(x0, x1, log_x):
        out.append("<text x='%.1f' y='%d' text-anchor='middle'>%s</text>" % (px(x), HEIGHT - BOTTOM + 16, format(x, ",g")))
    out.append("<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#bbb'/>" %
               (LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM))
    out.append("<text x='%d' y='%d' text-anchor='middle'>%s</text>" %
               ((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, escape(x_name)))
    out.append("<text transform='translate(14 %d) rotate(-90)' text-anchor='middle'>%s</text>" %
               ((TOP + HEIGHT - BOTTOM) / 2, escape(y_name)))
    for i, (name, points) in enumerate(series):
        colour = COLOURS[i % len(COLOURS)]
        text = " ".join("%.1f,%.1f" % (px(x), py(y)) for x, y in sorted(points))
        out.append("<polyline fill='none' stroke='%s' stroke-width='1.5' points='%s'/>" % (colour, text))
        if len(points) <= 12:
            out += ["<circle cx='%.1f' cy='%.1f' r='2.5' fill='%s'/>" % (px(x), py(y), colour) for x, y in points]
        out.append("<text x='%d' y='%d' fill='%s'>%s</text>" %
                   (WIDTH - RIGHT + 8, TOP + 12 + 16 * i, colour, escape(name)))
    return "\n".join(out + ["</svg>", ""])
