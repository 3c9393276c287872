// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.report;

import java.util.List;

/** A page for browsers that needs nothing else. What is added first comes first. */
public final class Page {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>{title}</title>
            <style>
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 960px; margin: 2em auto; padding: 0 1em; color: #222; }
            figure { margin: 0.5em 0 1.5em; overflow-x: auto; }
            table { border-collapse: collapse; } td, th { border-bottom: 1px solid #ddd; padding: 2px 8px; text-align: left; }
            </style>
            </head>
            <body>
            <h1>{title}</h1>
            """;

    private static final String LEGEND =
            "In each picture: the median, and in brackets its ratio to the best peer, which is darker than the others. The"
                    + " whisker goes from the smallest round to the largest; the dashed line is the limit.";

    private final StringBuilder html = new StringBuilder();

    public Page(String title) {
        html.append(HEAD.replace("{title}", escape(title)));
    }

    public Page paragraph(String text) {
        html.append("<p>").append(escape(text)).append("</p>\n");
        return this;
    }

    /** What the pictures show. */
    public Page legend() {
        return paragraph(LEGEND);
    }

    public Page heading(String text) {
        html.append("<h2>").append(escape(text)).append("</h2>\n");
        return this;
    }

    public Page list(List<String> lines) {
        html.append("<ul>\n");
        lines.forEach(line -> html.append("<li>").append(escape(line)).append("</li>\n"));
        html.append("</ul>\n");
        return this;
    }

    /** The picture, or nothing where it has no bars. */
    public Page picture(Bars bars) {
        String svg = bars.svg();
        if (!svg.isEmpty()) {
            html.append("<figure>\n").append(svg).append("</figure>\n");
        }
        return this;
    }

    /** Those of which there is something to say. */
    public Page verdicts(List<Verdict> verdicts) {
        html.append("<table><tr><th>goal</th><th>asked</th><th>got</th><th></th></tr>\n");
        verdicts.stream()
                .filter(Verdict::telling)
                .forEach(verdict -> html.append("<tr><td>")
                        .append(escape(verdict.goal()))
                        .append("</td><td>")
                        .append(escape(verdict.asked()))
                        .append("</td><td>")
                        .append(escape(verdict.got()))
                        .append("</td><td>")
                        .append(escape(verdict.outcome().text().replace("*", "")))
                        .append("</td></tr>\n"));
        html.append("</table>\n");
        return this;
    }

    public String html() {
        return html + "</body>\n</html>\n";
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
