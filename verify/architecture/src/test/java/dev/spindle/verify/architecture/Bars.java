// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One figure of several contenders as a picture: a bar for each median, a whisker from the smallest round to the
 * largest, and a dashed line where the limit stands. The axis is logarithmic where one contender, the limit aside,
 * would flatten all others.
 *
 * @param title the figure, with its unit
 * @param moreIsBetter whether a long bar is a good one
 */
record Bars(String title, boolean moreIsBetter, List<Bar> bars) {
    private static final int LEFT = 370;
    private static final int PLOT = 400;
    private static final int RIGHT = 170;
    private static final int ROW = 24;
    private static final int BAR = 14;
    private static final int TOP = 32;
    private static final int BOTTOM = 8;
    private static final double TOO_FAR_APART = 50;

    private static final String STYLE = """
        <style>
        svg { background: #fff; }
        text { font: 13px system-ui, sans-serif; fill: #222; } .name { text-anchor: end; } \
        .title { font-weight: bold; }
        .ours { fill: #1769aa; } .peer { fill: #b8c4cc; } .best { fill: #7d8f99; } .limit { fill: #e3dcc8; }
        .reference { fill: #9db8a5; } line { stroke: #8a6d1b; stroke-dasharray: 5 4; } \
        path { stroke: #222; fill: none; }
        </style>
        """;

    /** The meaning of a bar. */
    enum Kind {
        /** The same work without any hand-over. */
        LIMIT,
        OURS,
        PEER,
        /** Compared with by name, and no peer. */
        REFERENCE
    }

    /** A contender's rounds. */
    record Bar(String name, Kind kind, double median, double min, double max) {}

    Bars {
        bars = List.copyOf(bars);
    }

    /** The peer with the best median. */
    private Optional<Bar> best() {
        Comparator<Bar> byMedian = Comparator.comparingDouble(bar -> bar.median());
        return bars.stream().filter(bar -> bar.kind() == Kind.PEER).min(moreIsBetter ? byMedian.reversed() : byMedian);
    }

    /** The picture, which needs nothing else; empty where there are no bars. */
    String svg() {
        if (bars.isEmpty()) {
            return "";
        }
        Axis axis = axis();
        Optional<Bar> best = best();
        int width = LEFT + PLOT + RIGHT;
        int height = TOP + bars.size() * ROW + BOTTOM;
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " role=\"img\" aria-label=\"%s\">\n",
                width,
                height,
                width,
                height,
                escape(title)));
        svg.append(STYLE);
        svg.append(String.format(Locale.ROOT, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height));
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"8\" y=\"20\" class=\"title\">%s (%s%s)</text>\n",
                escape(title),
                moreIsBetter ? "more is better" : "less is better",
                axis.logarithmic() ? ", logarithmic" : ""));
        int y = TOP;
        for (Bar bar : bars) {
            append(svg, bar, axis, best, y + ROW / 2);
            y += ROW;
        }
        bars.stream().filter(bar -> bar.kind() == Kind.LIMIT).findFirst().ifPresent(limit -> {
            double x = axis.x(limit.median());
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"><title>the limit</title></line>\n",
                    x,
                    TOP,
                    x,
                    height - BOTTOM));
        });
        return svg.append("</svg>\n").toString();
    }

    private static void append(StringBuilder svg, Bar bar, Axis axis, Optional<Bar> best, int middle) {
        boolean isBest = best.filter(bar::equals).isPresent();
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" class=\"name\">%s</text>\n",
                LEFT - 8,
                middle + 4,
                escape(bar.name())));
        svg.append(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                isBest ? "best" : bar.kind().name().toLowerCase(Locale.ROOT),
                LEFT,
                middle - BAR / 2,
                Math.max(1, axis.x(bar.median()) - LEFT),
                BAR));
        svg.append(String.format(
                Locale.ROOT,
                "<path d=\"M%.1f %d v8 m0 -4 H%.1f m0 -4 v8\"/>\n",
                axis.x(bar.min()),
                middle - 4,
                axis.x(bar.max())));
        String ratio = best.filter(peer -> peer.median() != 0)
                .map(peer -> String.format(Locale.ROOT, " (%s x)", number(bar.median() / peer.median())))
                .orElse("");
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\">%s%s</text>\n",
                LEFT + PLOT + 12,
                middle + 4,
                number(bar.median()),
                ratio));
    }

    /** Returns the value with its significant digits. */
    private static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, format, value);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private Axis axis() {
        double most = bars.stream().mapToDouble(bar -> bar.max()).max().orElse(1);
        double smallest = bars.stream()
                .filter(bar -> bar.kind() != Kind.LIMIT)
                .mapToDouble(bar -> bar.min())
                .min()
                .orElse(0);
        boolean logarithmic = smallest > 0 && most / smallest > TOO_FAR_APART;
        return new Axis(logarithmic, logarithmic ? smallest / 2 : 0, most);
    }

    /** Maps values to places. */
    private record Axis(boolean logarithmic, double least, double most) {
        double x(double value) {
            double share = logarithmic
                    ? Math.log(Math.max(value, least) / least) / Math.log(most / least)
                    : value / Math.max(most, Double.MIN_NORMAL);
            return LEFT + PLOT * Math.min(1, Math.max(0, share));
        }
    }
}
