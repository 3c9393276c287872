// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tests that documents cite, such as {@code RingTest#claim_fullRing_waits}. */
final class Citations {
    /** A test class, a method, or both; a method alone belongs to the last class, and may end with an asterisk. */
    private static final Pattern TEST = Pattern.compile("`(?=[A-Z#])([A-Z]\\w*Test)?(?:#(\\w+)(\\*?))?`");

    private final Map<String, String> tests;

    Citations(List<Source> sources) {
        tests = sources.stream()
                .filter(Source::isTest)
                .collect(Collectors.toMap(Citations::type, Source::text, (first, second) -> first + second));
    }

    /** Returns the citations of tests that do not exist, each with its document. */
    List<String> broken(List<Source> documents) {
        List<String> broken = new ArrayList<>();
        for (Source document : documents) {
            String type = "";
            Matcher test = TEST.matcher(document.text());
            while (test.find()) {
                type = test.group(1) == null ? type : requireNonNull(test.group(1));
                if (!exists(type, test.group(2), "*".equals(test.group(3)))) {
                    broken.add(document.path() + ": " + test.group() + " of " + type);
                }
            }
        }
        return broken;
    }

    private boolean exists(String type, @Nullable String method, boolean prefix) {
        String text = tests.get(type);
        if (text == null) {
            return false;
        }
        return method == null
                || Pattern.compile("\\b" + method + (prefix ? "\\w*" : "") + "\\(")
                        .matcher(text)
                        .find();
    }

    private static String type(Source source) {
        return source.fileName().replace(".java", "");
    }
}
