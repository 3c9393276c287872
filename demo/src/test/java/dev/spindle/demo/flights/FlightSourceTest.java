// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlightSourceTest {

    @TempDir
    Path directory = Path.of("");

    @Test
    void read_builtInFlights_areAllGood() throws DataException {
        FlightData data = read(null);

        assertThat(data.sound()).isTrue();
        assertThat(data.flights()).hasSize(80_789);
        assertThat(data.cancelled()).isEqualTo(2_643);
        assertThat(data.unassigned()).isEqualTo(841);
        assertThat(data.landingsUnknown()).isEqualTo(75);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void read_goodFile_isReadWhateverItsName(boolean gzip) throws DataException, IOException {
        byte[] csv = Rows.csv(Rows.GOOD, Rows.CANCELLED, Rows.UNASSIGNED, Rows.LANDING_UNKNOWN);

        FlightData data = read(write(gzip ? Rows.gzip(csv) : csv));

        assertThat(data.sound()).isTrue();
        assertThat(data.flights())
                .isEqualTo(Rows.flights(Rows.GOOD, Rows.CANCELLED, Rows.UNASSIGNED, Rows.LANDING_UNKNOWN));
    }

    @Test
    void read_limit_stopsAfterSoManyGoodRows() throws DataException, IOException {
        Path file = write(Rows.csv(Rows.MALFORMED, Rows.GOOD, Rows.CANCELLED, Rows.GOOD));

        FlightData data = FlightSource.read(file, 2013, 2);

        assertThat(data.flights()).extracting(Flight::line).containsExactly(3, 4);
    }

    @Test
    void read_malformedRows_areCountedAndTheGoodOnesKept() throws DataException, IOException {
        Path file = write(Rows.csv(Rows.GOOD, Rows.MALFORMED, "", Rows.CANCELLED, "garbage"));

        FlightData data = read(file);

        assertThat(data.flights()).extracting(Flight::line).containsExactly(2, 5);
        assertThat(data.malformed()).isEqualTo(2);
        assertThat(data.faults())
                .containsExactly(
                        "line 3: column dep_time: '2575' is not empty or a clock time (HHMM from 0 to 2400)",
                        "line 6: expected 12 columns and found 1 in 'garbage'");
    }

    @Test
    void read_manyMalformedRows_keepsTheFirstMessagesAndCountsAll() throws DataException, IOException {
        String[] rows = Rows.many(100);
        Arrays.fill(rows, 20, 70, Rows.MALFORMED);

        FlightData data = read(write(Rows.csv(rows)));

        assertThat(data.flights()).hasSize(50);
        assertThat(data.malformed()).isEqualTo(50);
        assertThat(data.faults()).hasSize(FlightReader.FAULTS_KEPT);
        assertThat(data.faults().get(0)).startsWith("line 22: ");
    }

    @Test
    void read_truncatedGzipAtAnyByte_givesExactlyTheRowsBeforeTheBreak() throws IOException {
        String[] rows = Rows.many(400);
        List<Flight> flights = Rows.flights(rows);
        byte[] whole = Rows.gzip(Rows.csv(rows));

        for (int length : IntStream.range(1, whole.length)
                .filter(i -> i % 97 == 0 || i > whole.length - 10)
                .toArray()) {
            Path file = write(Arrays.copyOf(whole, length));
            try {
                FlightData data = read(file);
                int read = data.flights().size();
                assertThat(data.flights()).isEqualTo(flights.subList(0, read));
                assertThat(data.malformed()).isZero();
                assertThat(data.brokenOff())
                        .isEqualTo("line " + (read + 2) + ": the file breaks off here (the gzip data is truncated)");
            } catch (DataException e) {
                assertThat(e).hasMessageContaining("the file breaks off here (the gzip data is truncated)");
                assertThat(length).isLessThan(400);
            }
        }
    }

    @Test
    void read_gzipCutInItsChecksum_givesAllRowsAndTheBreak() throws DataException, IOException {
        byte[] whole = Rows.gzip(Rows.csv(Rows.many(400)));

        FlightData data = read(write(Arrays.copyOf(whole, whole.length - 4)));

        assertThat(data.flights()).hasSize(400);
        assertThat(data.brokenOff()).startsWith("line 402: the file breaks off here");
    }

    @Test
    void read_damagedGzip_saysWhere() throws DataException, IOException {
        byte[] packed = Rows.gzip(Rows.csv(Rows.many(5000)));
        Arrays.fill(packed, packed.length / 2, packed.length / 2 + 200, (byte) 0xff);

        FlightData data = read(write(packed));

        assertThat(data.flights()).isNotEmpty().hasSizeLessThan(5000);
        assertThat(data.brokenOff()).contains("the file breaks off here (");
    }

    @Test
    void read_missingFile_saysSo() {
        Path missing = directory.resolve("missing.csv.gz");

        assertThatThrownBy(() -> read(missing))
                .isInstanceOf(DataException.class)
                .hasMessage(missing + ": no such file; leave --file out to replay the built-in flights");
    }

    @Test
    void read_directory_saysSo() {
        assertThatThrownBy(() -> read(directory))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("is a directory");
    }

    @Test
    void read_emptyFile_isRefused() {
        assertThatThrownBy(() -> read(write(new byte[0])))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("the file is empty");
    }

    @Test
    void read_headerOnly_isRefused() {
        assertThatThrownBy(() -> read(write(Rows.csv())))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("no flight could be read");
    }

    @Test
    void read_onlyMalformedRows_isRefusedWithTheFirstFault() {
        assertThatThrownBy(() -> read(write(Rows.csv(Rows.MALFORMED))))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("no flight could be read; first fault: line 2: column dep_time: '2575'");
    }

    @Test
    void read_wrongHeader_isRefused() {
        assertThatThrownBy(() -> read(write("a,b\n1,2\n".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("line 1: column 1 of the header is 'a' instead of 'month'");
    }

    private FlightData read(@Nullable Path file) throws DataException {
        return FlightSource.read(file, 2013, Integer.MAX_VALUE);
    }

    private Path write(byte[] content) throws IOException {
        return Files.write(directory.resolve("flights"), content);
    }
}
