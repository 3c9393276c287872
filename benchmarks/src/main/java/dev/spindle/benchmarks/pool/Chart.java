// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool;

import dev.spindle.benchmarks.forks.Column;
import dev.spindle.benchmarks.forks.Spread;
import dev.spindle.benchmarks.pool.stage.Contender;
import dev.spindle.benchmarks.pool.stage.Figure;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One figure of one cell as a picture: a bar for each contender, a whisker from the smallest round to the largest, and a
 * dashed line where the limit stands. The axis is logarithmic where one contender would flatten all others.
 */
final class Chart {
    private static final int LEFT = 270;
    private static final int PLOT = 430;
    private static final int RIGHT = 200;
    private static final int ROW = 24;
    private static final int BAR = 14;
    private static final int TOP = 8;
    private static final double TOO_FAR_APART = 50;

    private final Figure figure;
    private final Map<Contender, Spread> spreads = new LinkedHashMap<>();
    private final Optional<Contender> best;
    private final boolean logarithmic;
    private final double least;
    private final double most;

    private Chart(Results results, Cell cell, Figure figure) {
        this.figure = figure;
        for (Contender contender : results.contenders(cell)) {
            results.spread(cell, contender, figure).ifPresent(spread -> spreads.put(contender, spread));
        }
        best = results.strongestPeer(cell, figure);
        most = spreads.values().stream().mapToDouble(Spread::max).max().orElse(1);
        double smallest =
                spreads.values().stream().mapToDouble(Spread::min).min().orElse(0);
        logarithmic = smallest > 0 && most / smallest > TOO_FAR_APART;
        least = logarithmic ? smallest / 2 : 0;
    }

    /** The picture, or nothing where no contender has the figure. */
    static String of(Results results, Cell cell, Figure figure) {
        Chart chart = new Chart(results, cell, figure);
        return chart.spreads.isEmpty() ? "" : chart.svg();
    }

    private String svg() {
        int height = TOP + spreads.size() * ROW + TOP;
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<figure><figcaption>%s, %s%s</figcaption>%n",
                HtmlReport.escape(figure.title()),
                figure.moreIsBetter() ? "more is better" : "less is better",
                logarithmic ? ", logarithmic" : ""));
        svg.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">%n",
                LEFT + PLOT + RIGHT,
                height,
                LEFT + PLOT + RIGHT,
                height));
        int y = TOP;
        for (Map.Entry<Contender, Spread> row : spreads.entrySet()) {
            bar(svg, row.getKey(), row.getValue(), y);
            y += ROW;
        }
        Spread limit = spreads.get(Contender.LIMIT);
        if (limit != null) {
            double x = x(limit.median());
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"limit\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"><title>physical limit</title></line>%n",
                    x,
                    x,
                    height));
        }
        return svg.append("</svg></figure>\n").toString();
    }

    private void bar(StringBuilder svg, Contender contender, Spread spread, int y) {
        int middle = y + ROW / 2;
        String kind = best.filter(peer -> peer == contender).isPresent()
                ? "best"
                : contender.family().name().toLowerCase(Locale.ROOT);
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" class=\"name\">%s</text>%n",
                LEFT - 8,
                middle + 4,
                HtmlReport.escape(contender.title())));
        svg.append(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                kind,
                LEFT,
                middle - BAR / 2,
                Math.max(1, x(spread.median()) - LEFT),
                BAR));
        svg.append(String.format(
                Locale.ROOT,
                "<path class=\"range\" d=\"M%.1f %d v8 m0 -4 H%.1f m0 -4 v8\"/>%n",
                x(spread.min()),
                middle - 4,
                x(spread.max())));
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" class=\"value\">%s%s</text>%n",
                LEFT + PLOT + 12,
                middle + 4,
                Column.number(spread.median()),
                ratio(spread)));
    }

    private String ratio(Spread spread) {
        return best.map(spreads::get)
                .filter(peer -> peer.median() != 0)
                .map(peer -> String.format(Locale.ROOT, " (%s x)", Column.number(spread.median() / peer.median())))
                .orElse("");
    }

    private double x(double value) {
        double share = logarithmic
                ? Math.log(Math.max(value, least) / least) / Math.log(most / least)
                : value / Math.max(most, Double.MIN_NORMAL);
        return LEFT + PLOT * Math.min(1, Math.max(0, share));
    }
}
