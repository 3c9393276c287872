// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathRulesTest {
    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/a/b, /a/b",
        "/a/, /a/",
        "/a.b/c.., /a.b/c..",
        "/.a/b, /.a/b",
        "/...,/...",
        "/a~!$&'()+;=:@b, /a~!$&'()+;=:@b",
        "/%61%5a%2D%2e%5f%7E, /aZ-._~",
        "/%20%3b%c3%a9, /%20%3B%C3%A9",
        "/a%3fb, /a%3Fb",
        "/a;v=1/b, /a;v=1/b",
        "/%25, /%25",
        "/100%25, /100%25",
        "/%25zz, /%25zz",
        "/~, /~",
        "/%22, /%22"
    })
    void normalise_pathThatCanBeReadInOneWay_decodesLettersDigitsAndFourSigns(String path, String normal)
            throws Refusal {
        assertThat(PathRules.normalise(path)).isEqualTo(normal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "*", "http://h/"})
    void normalise_withoutASlashInFront_isRefused(String path) {
        assertRefused(path, "does not begin with a slash");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a b", "/a#b", "/a\\b", "/\u0001", "/\u007f", "/\u00e9", "/a\t", "/a.b\u001f"})
    void normalise_characterThatMustBeEncoded_isRefused(String path) {
        assertRefused(path, "a character in the path that must be encoded");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%", "/%4", "/%zz", "/%4g", "/%g4", "/a%2"})
    void normalise_perCentSignWithoutTwoDigits_isRefused(String path) {
        assertRefused(path, "without two hex digits");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a%2fb", "/a%2Fb", "/a%5cb", "/%00", "/%1f", "/%0d%0a", "/%7f"})
    void normalise_codedSlashBackslashOrControl_isRefused(String path) {
        assertRefused(path, "a coded slash, backslash or control character");
    }

    @ParameterizedTest
    @ValueSource(strings = {"//", "//a", "/a//b", "/a//"})
    void normalise_emptySegment_isRefused(String path) {
        assertRefused(path, "an empty segment");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/.",
                "/..",
                "/a/..",
                "/a/./b",
                "/../a",
                "/%2e",
                "/%2e%2E/a",
                "/.%2e",
                "/..;",
                "/..;a=1/b",
                "/.;/b",
                "/..%3Bx",
                "/..%3bx/y",
                "/%20..",
                "/..%20",
                "/..%09%20"
            })
    void normalise_dotSegmentInWhateverCoding_isRefused(String path) {
        assertThatThrownBy(() -> PathRules.normalise(path))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(400));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a%252fb", "/a%25252Fb", "/%255c", "/%25252525252e", "/%252e%252e"})
    void normalise_codedTwiceAndMore_isRefused(String path) {
        assertThatThrownBy(() -> PathRules.normalise(path)).isInstanceOf(Refusal.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a%2525b", "/a%25252541", "/%252541"})
    void normalise_perCentSignCodedAFewTimes_staysCoded(String path) throws Refusal {
        assertThat(PathRules.normalise(path)).isEqualTo(path);
    }

    private static void assertRefused(String path, String reason) {
        assertThatThrownBy(() -> PathRules.normalise(path)).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.status()).isEqualTo(400);
            assertThat(refusal.reason()).contains(reason);
        });
    }
}
