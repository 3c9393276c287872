// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.Limits;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes that the decoders accept and refuse, however the bytes are cut into pieces. */
class StrictDecoderTest {
    private static final String HEAD = "POST /x HTTP/1.1\r\nHost: test\r\n";
    private static final String CHUNKED = HEAD + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String LONG = // 0xaf bytes
            "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
                    + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
                    + "0123456789abcde";
    private static final Limits LIMITS = Limits.builder().fields(4).build();

    /** The objects decoded from one connection, up to the first that failed. */
    private record Decoded(List<HttpObject> objects, boolean inHead) {
        static Decoded by(ChannelHandler decoder, String bytes, int piece) {
            EmbeddedChannel channel = new EmbeddedChannel(decoder);
            byte[] all = bytes.getBytes(StandardCharsets.ISO_8859_1);
            for (int i = 0; i < all.length; i += piece) {
                channel.writeInbound(Unpooled.wrappedBuffer(all, i, Math.min(piece, all.length - i)));
            }
            List<HttpObject> objects = new ArrayList<>();
            for (Object next = channel.readInbound(); next != null; next = channel.readInbound()) {
                objects.add((HttpObject) next);
            }
            boolean inHead = decoder instanceof StrictRequestDecoder requests && requests.isInHead();
            channel.finishAndReleaseAll();
            return new Decoded(objects, inHead);
        }

        String failure() {
            return objects.stream()
                    .filter(each -> each.decoderResult().isFailure())
                    .map(each -> String.valueOf(each.decoderResult().cause().getMessage()))
                    .collect(Collectors.joining(", "));
        }

        int status() {
            return objects.stream()
                    .map(each -> each.decoderResult().cause())
                    .filter(Refusal.class::isInstance)
                    .mapToInt(each -> ((Refusal) each).status())
                    .findFirst()
                    .orElse(0);
        }

        long heads() {
            return objects.stream().filter(HttpMessage.class::isInstance).count();
        }

        long ends() {
            return objects.stream().filter(LastHttpContent.class::isInstance).count();
        }

        String body() {
            return objects.stream()
                    .filter(HttpContent.class::isInstance)
                    .map(each -> ((HttpContent) each).content().toString(StandardCharsets.ISO_8859_1))
                    .collect(Collectors.joining());
        }
    }

    private static IntStream pieces() {
        return IntStream.of(1, 2, 3, 7, 4_096);
    }

    private static Decoded request(String bytes, int piece) {
        return Decoded.by(new StrictRequestDecoder(LIMITS), bytes, piece);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                HEAD + "\r\n",
                "\r\n\r\n" + HEAD + "\r\n",
                HEAD + "A:\r\nB:  1 \r\nC: \u00e4\t\u00ff\r\n\r\n",
                HEAD + "!#$%&'*+-.^_`|~09azAZ: 1\r\n\r\n",
                HEAD + "Content-Length: 5\r\n\r\n\r\n\u0000\n\r",
                CHUNKED + "0\r\n\r\n",
                CHUNKED + "5;a=b;c=\"d\"\r\n1\r\n\n5\r\nA\r\n\u0000234567890\r\n0\r\nX: 1\r\n\r\n",
                CHUNKED + "1;a = \"b\\\";\" ;c;d=e\r\nx\r\n0;\r\n\r\n",
                CHUNKED + "00aF\r\n" + LONG + "\r\n0;last\r\n\r\n",
            })
    void h2_messageThatIsWellFormed_isDecodedTwice(String message) {
        pieces().forEach(piece -> {
            Decoded decoded = request(message + message, piece);

            assertThat(decoded.failure()).isEmpty();
            assertThat(decoded.heads()).isEqualTo(2);
            assertThat(decoded.ends()).isEqualTo(2);
            assertThat(decoded.inHead()).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n" + HEAD + "\r\n",
                "\r" + HEAD + "\r\n",
                " " + HEAD + "\r\n",
                "\u0001" + HEAD + "\r\n",
                "GET  / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1 \r\n\r\n",
                "GET\t/ HTTP/1.1\r\n\r\n",
                "GET /\u0000 HTTP/1.1\r\n\r\n",
                "GET /\u00e4 HTTP/1.1\r\n\r\n",
                "GET /\r HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\n\r\n",
                "GET / http/1.1\r\n\r\n",
                HEAD + ": 1\r\n\r\n",
                HEAD + " X: 1\r\n\r\n",
                HEAD + "\tX: 1\r\n\r\n",
                HEAD + "X : 1\r\n\r\n",
                HEAD + "X\u0000: 1\r\n\r\n",
                HEAD + "X(: 1\r\n\r\n",
                HEAD + "X\u00e4: 1\r\n\r\n",
                HEAD + "X: 1\u0000\r\n\r\n",
                HEAD + "X: 1\u001f\r\n\r\n",
                HEAD + "X: 1\u007f\r\n\r\n",
                HEAD + "X: 1\rY: 2\r\n\r\n",
                HEAD + "X: 1\nY: 2\r\n\r\n",
                HEAD + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                HEAD + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n",
                HEAD + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n12",
                HEAD + "Content-Length: 2, 2\r\n\r\n12",
                HEAD + "Content-Length: +2\r\n\r\n12",
                HEAD + "Content-Length: 0x2\r\n\r\n12",
                HEAD + "Content-Length: \u00b2\r\n\r\n12",
                HEAD + "Content-Length:\r\n\r\n",
                HEAD + "Content-Length: 9999999999999999999\r\n\r\n12",
                HEAD + "Transfer-Encoding: gzip\r\n\r\n",
                HEAD + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                HEAD + "Transfer-Encoding: identity\r\n\r\n",
                HEAD + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
                HEAD + "Transfer-Encoding:\r\n\r\n",
                HEAD + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                HEAD + "Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n",
                HEAD + "X\r\n\r\n",
                "POST / HTTP/1.0\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n123",
                "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "GET /\r\n\r\n",
                "GET / \r\n\r\n",
                "GET  HTTP/1.1\r\n\r\n",
                "GET(x) / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.10\r\n\r\n",
            })
    void h2_headThatTwoParsersCouldReadInTwoWays_isRefused(String head) {
        pieces().forEach(piece -> {
            Decoded decoded = request(head + HEAD + "\r\n", piece);

            assertThat(decoded.failure()).isNotEmpty();
            assertThat(decoded.heads()).isEqualTo(1); // the failure itself, and nothing of the next request
            assertThat(decoded.inHead()).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\r\n",
                "\r\n",
                ";a\r\n",
                "80000000\r\n",
                "fffffffffffffffff\r\n",
                "\u00b2\r\n12",
                "0\r\nX\r\n\r\n",
                "+5\r\n12345\r\n",
                " 5\r\n12345\r\n",
                "5 \r\n12345\r\n",
                "5\n12345\r\n",
                "5\r12345\r\n",
                "5;a=\rb\r\n12345\r\n",
                "5;a=\nb\r\n12345\r\n",
                "5;a=\u0000\r\n12345\r\n",
                "5;a=\r\n12345\r\n",
                "5;a=\"\r\n12345\r\n",
                "5;a=\"\\\r\n12345\r\n",
                "5;a=\"b\"c\r\n12345\r\n",
                "5;a=b c\r\n12345\r\n",
                "5;a(\r\n12345\r\n",
                "5;a=\"\u00e4\"\r\n12345\r\n",
                "5\r\n12345\n",
                "5\r\n123456\r\n",
                "0\r\nX : 1\r\n\r\n",
                "0\r\nX: \u0001\r\n\r\n",
                "0\r\nX: 1\n\r\n",
                "0\r\n X: 1\r\n\r\n",
                "0\r\n: 1\r\n\r\n",
            })
    void h2_chunkThatTwoParsersCouldReadInTwoWays_endsTheBody(String chunk) {
        pieces().forEach(piece -> {
            Decoded decoded = request(CHUNKED + chunk + HEAD + "\r\n", piece);

            assertThat(decoded.failure()).isNotEmpty();
            assertThat(decoded.heads()).isEqualTo(1);
        });
    }

    @Test
    void h2_chunks_areJoined() {
        pieces().forEach(piece -> assertThat(request(CHUNKED + "1\r\na\r\n2;x\r\nbc\r\n0\r\n\r\n", piece)
                        .body())
                .isEqualTo("abc"));
    }

    @Test
    void h4_moreFieldsThanTheLimit_areRefusedWith431() {
        pieces().forEach(piece -> {
            assertThat(request(HEAD + "A: 1\r\nB: 1\r\nC: 1\r\n\r\n", piece).failure())
                    .isEmpty();
            Decoded more = request(HEAD + "A: 1\r\nB: 1\r\nC: 1\r\nD: 1\r\n\r\n", piece);
            assertThat(more.failure()).isEqualTo("more than 4 fields");
            assertThat(more.status()).isEqualTo(431);
        });
    }

    @Test
    void h4_sizesAtTheirLimit_areTakenAndAboveItRefused() {
        Limits limits = Limits.builder().line(64).head(256).fields(4).build();
        String target = "/" + "x".repeat(64 - "GET / HTTP/1.1".length());
        String value = "x".repeat(256 - "A: 34B: ".length());
        pieces().forEach(piece -> {
            assertThat(sized(limits, piece, "GET " + target + " HTTP/1.1", "A: 34", "B: " + value))
                    .isZero();
            assertThat(sized(limits, piece, "GET " + target + "x HTTP/1.1", "A: 34", "B: 34"))
                    .isEqualTo(414);
            assertThat(sized(limits, piece, "GET / HTTP/1.1", "A: 34", "B: " + value + "x"))
                    .isEqualTo(431);
        });
    }

    @Test
    void h4_headThatNeverEnds_isRefusedAtTheLimit() {
        Limits limits = Limits.builder().line(2_000).head(3_000).fields(4).build();

        assertThat(Decoded.by(new StrictRequestDecoder(limits), "GET /" + "x".repeat(2_000), 1_000)
                        .status())
                .isEqualTo(414);
        assertThat(Decoded.by(new StrictRequestDecoder(limits), HEAD + "A".repeat(3_000), 1_000)
                        .status())
                .isEqualTo(431);
        assertThat(Decoded.by(new StrictRequestDecoder(limits), HEAD + "A: " + " ".repeat(3_000), 1_000)
                        .status())
                .isEqualTo(431);
    }

    @Test
    void h4_linesOfChunksAndTrailers_haveTheLimitsOfHeads() {
        Limits limits = Limits.builder().line(100).head(256).fields(4).build();
        String head = "POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
        String fields = "A: 1\r\nB: 2\r\nC: 3\r\n";
        pieces().forEach(piece -> {
            assertThat(lastStatus(limits, head + "1;" + "x".repeat(98) + "\r\n", piece))
                    .isZero();
            assertThat(lastStatus(limits, head + "1;" + "x".repeat(99), piece)).isEqualTo(400);
            assertThat(lastStatus(limits, head + "0".repeat(101), piece)).isEqualTo(400);
            assertThat(lastStatus(limits, head + "0\r\n" + fields + "\r\n", piece))
                    .isZero();
            assertThat(lastStatus(limits, head + "0\r\n" + fields + "D: 4\r\n", piece))
                    .isEqualTo(431);
            assertThat(lastStatus(limits, head + "0\r\nA: " + "x".repeat(254), piece))
                    .isEqualTo(431);
        });
    }

    private static int sized(Limits limits, int piece, String... lines) {
        return lastStatus(limits, String.join("\r\n", lines) + "\r\n\r\n", piece);
    }

    private static int lastStatus(Limits limits, String bytes, int piece) {
        return Decoded.by(new StrictRequestDecoder(limits), bytes, piece).status();
    }

    @Test
    void h2_fieldsOfTheNextMessage_countAnew() {
        String message = HEAD + "A: 1\r\nB: 1\r\nC: 1\r\n\r\n";

        assertThat(request(message.repeat(3), 4_096).heads()).isEqualTo(3);
    }

    @Test
    void isInHead_afterEachByte_isTrueWithinTheHeadAlone() {
        String message = HEAD + "Content-Length: 1\r\n\r\n";
        for (int i = 1; i < message.length(); i++) {
            assertThat(request(message.substring(0, i), 1).inHead()).isTrue();
        }
        assertThat(request(message, 1).inHead()).isFalse();
        assertThat(request(message + "x", 1).inHead()).isFalse();
        assertThat(request(message + "xG", 1).inHead()).isTrue();
        assertThat(request(CHUNKED + "0\r\nX", 1).inHead()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 A reason of m\u00e4ny words\r\nContent-Length: 1\r\n\r\nx",
                "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.0 204 \r\n\r\n",
                "HTTP/1.1 204\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            })
    void h2_answerThatIsWellFormed_isDecoded(String answer) {
        pieces().forEach(piece -> {
            Decoded decoded = Decoded.by(new StrictResponseDecoder(), answer + answer, piece);

            assertThat(decoded.failure()).isEmpty();
            assertThat(decoded.ends()).isEqualTo(2);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 O\u0001K\r\n\r\n",
                "http/1.1 200 OK\r\n\r\n",
                "HTTP/1.1 +20 OK\r\n\r\n",
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 020 OK\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1  200 OK\r\n\r\n",
                "HTTP/1.1\t200 OK\r\n\r\n",
                "HTTP/1.2 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX\n: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            })
    void h2_answerThatTwoParsersCouldReadInTwoWays_isRefused(String answer) {
        pieces().forEach(piece -> assertThat(
                        Decoded.by(new StrictResponseDecoder(), answer, piece).failure())
                .isNotEmpty());
    }

    @Test
    void h2_refusedAnswer_isABadGateway() {
        assertThat(Decoded.by(new StrictResponseDecoder(), "HTTP/1.1 200 OK\r\nX: \u0001\r\n\r\n", 4_096)
                        .status())
                .isEqualTo(502);
    }
}
