// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.Limits;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Messages with random mistakes: what a strict decoder accepts, Netty's decoder reads in the same way, and it does not
 * matter how the bytes are cut into pieces.
 */
class DecodersAgreeTest {
    private static final String BODY = "Content-Length: 5\r\n\r\nhello";
    private static final String LETTERS = "1a;x=\"y\"\r\nabcdefghijklmnopqrstuvwxyz\r\n";
    private static final String CHUNKS =
            "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n" + LETTERS + "0\r\nX: 1\r\n\r\n";
    private static final String[] REQUESTS = {
        "GET /a?b=c HTTP/1.1\r\nHost: test\r\nAccept: */*\r\nUser-Agent: one (two; three)\r\n\r\n",
        "\r\nHEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /second HTTP/1.1\r\nHost: test\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: test\r\nContent-Type: text/plain\r\n" + BODY + "GET /b HTTP/1.1\r\nHost: x\r\n\r\n",
        "PUT /a HTTP/1.1\r\nHost: test\r\nCookie: a=b\r\nCookie: c=d\r\n" + CHUNKS
                + "GET /b HTTP/1.1\r\nHost: x\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: test\r\nX-Empty:\r\nX-Blanks: \t a b \t\r\n\r\n",
        "GET http://other:80/a HTTP/1.1\r\nHost: test\r\nX: \u00e4\u00ff\r\n\r\n",
    };
    private static final String[] ANSWERS = {
        "HTTP/1.1 200 OK\r\nServer: test\r\n" + BODY + "HTTP/1.1 404 Not Found\r\n" + BODY,
        "HTTP/1.1 200 \r\nContent-Type: text/plain\r\n" + CHUNKS + "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nLocation: /a\r\n" + BODY,
        "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nto the end",
        "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nContent-Length: 5\r\n\r\nHTTP/1.1 500 \u00e4\r\n" + BODY,
    };
    private static final String[] INSERTED = {
        "\r\n",
        "\n",
        "\r",
        " ",
        "\t",
        ":",
        ";",
        ",",
        "\u0000",
        "\u000b",
        "\u007f",
        "\u0085",
        "\u00a0",
        "0",
        "5",
        "+",
        "-",
        "Content-Length: 5\r\n",
        "Content-Length: 05\r\n",
        "content-length : 5\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip\r\n",
        "transfer-encoding:\tCHUNKED\r\n",
        " folded\r\n",
        "X: 1\r\n",
        "HTTP/1.1",
        "HTTP/1.0",
        "0\r\n\r\n",
        "chunked",
        "GET / HTTP/1.1\r\n",
        "\r\n\r\n"
    };

    /** What a decoder has read: for each message its first line, its fields, its body, and whether it has ended. */
    private record Reading(List<String> messages, String failure) {
        static Reading of(ChannelHandler decoder, byte[] bytes, int... cuts) {
            EmbeddedChannel channel = new EmbeddedChannel(decoder);
            int from = 0;
            for (int cut : cuts) {
                channel.writeInbound(Unpooled.copiedBuffer(bytes, from, cut - from));
                from = cut;
            }
            channel.writeInbound(Unpooled.copiedBuffer(bytes, from, bytes.length - from));
            List<String> messages = new ArrayList<>();
            StringBuilder message = new StringBuilder();
            String failure = "";
            for (Object read = channel.readInbound(); read != null; read = channel.readInbound()) {
                if (!(read instanceof HttpObject next)) { // bytes after an answer 101
                    ReferenceCountUtil.release(read);
                    continue;
                }
                if (next.decoderResult().isFailure()) {
                    failure = String.valueOf(next.decoderResult().cause().getMessage());
                    message.setLength(0);
                } else {
                    read(next, message);
                }
                if (next instanceof LastHttpContent && failure.isEmpty()) {
                    messages.add(message.toString());
                    message.setLength(0);
                }
                ReferenceCountUtil.release(next);
            }
            if (message.length() > 0) {
                messages.add(message.append(" ...").toString());
            }
            channel.finishAndReleaseAll();
            return new Reading(messages, failure);
        }

        private static void read(HttpObject object, StringBuilder to) {
            if (object instanceof HttpRequest request) {
                to.append(request.method()).append(' ').append(request.uri()).append(' ');
            }
            if (object instanceof HttpResponse response) {
                to.append(response.status().code()).append(' ');
            }
            if (object instanceof HttpMessage message) {
                to.append(message.protocolVersion());
                message.headers().forEach(field -> to.append(text(field, message)));
                to.append("\n\n");
            }
            if (object instanceof HttpContent content) {
                to.append(content.content().toString(StandardCharsets.ISO_8859_1));
            }
        }

        /**
         * Returns the line of a field. Netty's decoder removes zeros in front of a length, and the transfer coding of
         * an answer that has no body.
         */
        private static String text(Map.Entry<String, String> field, HttpMessage message) {
            String name = field.getKey().toLowerCase(Locale.ROOT);
            int status =
                    message instanceof HttpResponse response ? response.status().code() : 200;
            boolean isBodiless = status < 200 || status == 204 || status == 304;
            if (isBodiless && name.equals("transfer-encoding")) {
                return "";
            }
            boolean isLength = name.equals("content-length");
            return '\n'
                    + field.getKey()
                    + '='
                    + (isLength ? field.getValue().replaceFirst("^0+(?=.)", "") : field.getValue());
        }

        /** Returns the messages that were read as a whole, up to an answer after which another protocol begins. */
        List<String> ended() {
            return messages.stream()
                    .takeWhile(each -> !each.endsWith(" ...") && !each.startsWith("101 "))
                    .toList();
        }
    }

    @Test
    void mutatedRequests_acceptedByTheStrictDecoder_areReadAlike() {
        agree(REQUESTS, DecodersAgreeTest::requests, HttpRequestDecoder::new, 10_000);
    }

    @Test
    void mutatedAnswers_acceptedByTheStrictDecoder_areReadAlike() {
        agree(ANSWERS, StrictResponseDecoder::new, HttpResponseDecoder::new, 10_000);
    }

    @Test
    @Tag("deep")
    @Tag("once")
    void mutatedMessages_300_000OfThem_areReadAlike() {
        agree(REQUESTS, DecodersAgreeTest::requests, HttpRequestDecoder::new, 200_000);
        agree(ANSWERS, StrictResponseDecoder::new, HttpResponseDecoder::new, 100_000);
    }

    private static ChannelHandler requests() {
        return new StrictRequestDecoder(Limits.builder().build());
    }

    private static void agree(
            String[] corpus, Supplier<ChannelHandler> strict, Supplier<ChannelHandler> lenient, int messages) {
        SplittableRandom random = new SplittableRandom(messages);
        int accepted = 0;
        int refused = 0;
        for (int i = 0; i < messages; i++) {
            byte[] bytes = mutated(corpus[random.nextInt(corpus.length)], random);
            String named = ByteBufUtil.hexDump(bytes) + "\n" + new String(bytes, StandardCharsets.ISO_8859_1);
            Reading whole = Reading.of(strict.get(), bytes);
            Reading pieces = Reading.of(strict.get(), bytes, cuts(bytes.length, random));
            Reading others = Reading.of(lenient.get(), bytes);

            assertThat(pieces).as(named).isEqualTo(whole);
            int ended = whole.ended().size();
            assertThat(others.messages().stream().limit(ended)).as(named).isEqualTo(whole.ended());
            accepted += whole.failure().isEmpty() ? 1 : 0;
            refused += whole.failure().isEmpty() ? 0 : 1;
        }
        assertThat(accepted).isGreaterThan(messages / 10); // both ways are tested
        assertThat(refused).isGreaterThan(messages / 10);
    }

    /** Returns a message with one to three mistakes. */
    private static byte[] mutated(String message, SplittableRandom random) {
        StringBuilder text = new StringBuilder(message);
        for (int mistakes = random.nextInt(1, 4); mistakes > 0; mistakes--) {
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + random.nextInt(1, 8));
            switch (random.nextInt(5)) {
                case 0 -> text.setCharAt(at, (char) random.nextInt(256));
                case 1 -> text.insert(at, INSERTED[random.nextInt(INSERTED.length)]);
                case 2 -> text.delete(at, Math.min(end, text.length() - 1));
                case 3 -> text.insert(at, text.substring(at, end));
                default -> text.insert(text.indexOf("\r\n", at) + 2, INSERTED[random.nextInt(INSERTED.length)]);
            }
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static int[] cuts(int length, SplittableRandom random) {
        int[] cuts = random.ints(random.nextInt(1, 6), 0, length).toArray();
        Arrays.sort(cuts);
        return cuts;
    }
}
