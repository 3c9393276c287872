// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.gateway.config.Limits;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fields of a decoded head, compared with Netty's own class, of which they are a read-only form. */
class WireFieldsTest {
    private static final String[][] FIELDS = {
        {"Host", "test"},
        {"Accept", "a"},
        {"ACCEPT", "b, C"},
        {"X-Empty", ""},
        {"Age", "7"},
        {"Date", "Sun, 06 Nov 1994 08:49:37 GMT"},
        {"X-Latin", "\u00e4\u00ff"},
        {"Connection", "keep-alive , close"},
        {"connection", "Upgrade"},
    };

    private final HttpHeaders fields = decoded();
    private final HttpHeaders model = model();

    private static HttpHeaders decoded() {
        StringBuilder head = new StringBuilder("GET / HTTP/1.1\r\n");
        for (String[] field : FIELDS) {
            head.append(field[0]).append(": \t").append(field[1]).append(" \r\n");
        }
        EmbeddedChannel channel =
                new EmbeddedChannel(new StrictRequestDecoder(Limits.builder().build()));
        channel.writeInbound(Unpooled.copiedBuffer(head.append("\r\n"), StandardCharsets.ISO_8859_1));
        HttpRequest request = channel.readInbound();
        channel.finishAndReleaseAll();
        return request.headers();
    }

    private static HttpHeaders model() {
        HttpHeaders model = HopFields.none();
        for (String[] field : FIELDS) {
            model.add(field[0], field[1]);
        }
        return model;
    }

    private static List<String> texts(HttpHeaders fields) {
        return fields.entries().stream()
                .map(field -> field.getKey() + "=" + field.getValue())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"Host", "hOST", "accept", "x-empty", "X-Latin", "none", "hos", "hostt", "''", "connection"})
    void get_nameInAnyCase_isAsInTheModel(String name) {
        assertThat(fields).isInstanceOf(WireFields.class);
        assertThat(fields.get(name)).isEqualTo(model.get(name));
        assertThat(fields.get((CharSequence) name)).isEqualTo(model.get(name));
        assertThat(fields.getAll(name)).isEqualTo(model.getAll(name));
        assertThat(fields.contains(name)).isEqualTo(model.contains(name));
        assertThat(fields.contains((CharSequence) name)).isEqualTo(model.contains(name));
        assertThat(fields.get(name, "other")).isEqualTo(model.get(name, "other"));
    }

    @ParameterizedTest
    @CsvSource({
        "accept, a",
        "accept, A",
        "accept, c",
        "accept, b",
        "connection, close",
        "connection, Close",
        "connection, keep",
        "connection, upgrade",
        "x-empty, ''",
        "none, a",
        "host, test",
        "host, TEST",
        "age, 7"
    })
    void containsValue_inAList_isAsInTheModel(String name, String value) {
        for (boolean ignoreCase : new boolean[] {true, false}) {
            assertThat(fields.containsValue(name, value, ignoreCase))
                    .isEqualTo(model.containsValue(name, value, ignoreCase));
        }
    }

    @Test
    void fields_inTheirOrder_areAsInTheModel() {
        assertThat(fields.size()).isEqualTo(FIELDS.length);
        assertThat(fields.isEmpty()).isFalse();
        assertThat(texts(fields)).isEqualTo(texts(model));
        assertThat(fields.names()).containsExactlyElementsOf(model.names());
        assertThat(texts(fields.copy())).isEqualTo(texts(model));
        List<String> iterated = new ArrayList<>();
        var iterator = fields.iteratorCharSequence();
        while (iterator.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = iterator.next();
            iterated.add(field.getKey() + "=" + field.getValue());
        }
        assertThat(iterated).isEqualTo(texts(model));
        assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void numbersAndTimes_areAsInTheModel() {
        assertThat(fields.getInt("age")).isEqualTo(7);
        assertThat(fields.getInt("none", 3)).isEqualTo(3);
        assertThat(fields.getShort("age")).isEqualTo((short) 7);
        assertThat(fields.getShort("none", (short) 3)).isEqualTo((short) 3);
        assertThat(fields.getTimeMillis("date")).isEqualTo(model.getTimeMillis("date"));
        assertThat(fields.getTimeMillis("none", 3)).isEqualTo(3);
    }

    @Test
    void changes_areNotSupported() {
        List<Consumer<HttpHeaders>> changes = List.of(
                each -> each.add("a", "b"),
                each -> each.add("a", List.of("b")),
                each -> each.addInt("a", 1),
                each -> each.addShort("a", (short) 1),
                each -> each.set("a", "b"),
                each -> each.set("a", List.of("b")),
                each -> each.setInt("a", 1),
                each -> each.setShort("a", (short) 1),
                each -> each.remove("host"),
                HttpHeaders::clear);
        for (Consumer<HttpHeaders> change : changes) {
            assertThatThrownBy(() -> change.accept(fields))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("cannot be changed");
        }
        assertThat(texts(fields)).isEqualTo(texts(model));
    }
}
