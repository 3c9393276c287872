// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlightParserTest {

    private final FlightParser parser = new FlightParser(2013);

    @Test
    void parse_goodRow_hasAllValues() throws MalformedRowException {
        Flight flight = parser.parse(7, Rows.GOOD);

        int midnight = flight.scheduledAt() - 600;
        assertThat(midnight % LocalClock.DAY).isZero();
        assertThat(flight)
                .isEqualTo(new Flight(
                        7, "AA", 11, "N1AA", "JFK", "BOS", 187, midnight + 600, midnight + 605, midnight + 730, 10));
        assertThat(flight.departureDelay()).isEqualTo(5);
    }

    @Test
    void parse_noDeparture_isCancelled() throws MalformedRowException {
        Flight flight = parser.parse(2, Rows.CANCELLED);

        assertThat(flight.departed()).isFalse();
        assertThat(flight.landed()).isFalse();
        assertThat(flight.departureDelay()).isZero();
    }

    @Test
    void parse_departureWithoutLanding_isUnknownLanding() throws MalformedRowException {
        Flight flight = parser.parse(2, Rows.LANDING_UNKNOWN);

        assertThat(flight.departed()).isTrue();
        assertThat(flight.landed()).isFalse();
        assertThat(flight.arrivalDelay()).isZero();
    }

    @Test
    void parse_noTailNumber_hasNoAircraft() throws MalformedRowException {
        assertThat(parser.parse(2, Rows.UNASSIGNED).tail()).isNull();
    }

    @Test
    void parse_departureAfterMidnight_isOnTheNextDay() throws MalformedRowException {
        Flight flight = parser.parse(2, "3,1,2350,15,200,230,B6,7,N7B,JFK,SJU,1598");

        assertThat(flight.departureDelay()).isEqualTo(25);
        assertThat(flight.landedAt() - flight.departedAt()).isEqualTo(135);
    }

    @Test
    void parse_times2400_areMidnightAtTheEndOfTheDay() throws MalformedRowException {
        Flight flight = parser.parse(2, "3,1,2200,2210,2359,2400,B6,7,N7B,JFK,BOS,187");

        assertThat(flight.landedAt() - flight.scheduledAt()).isEqualTo(120);
        assertThat(flight.arrivalDelay()).isEqualTo(1);
    }

    @Test
    void parse_leapDay_isADayInLeapYearsOnly() {
        String row = Rows.GOOD.replaceFirst("^3,1,", "2,29,");

        assertThatCode(() -> new FlightParser(2012).parse(2, row)).doesNotThrowAnyException();
        assertThatThrownBy(() -> parser.parse(2, row))
                .isInstanceOf(MalformedRowException.class)
                .hasMessage("column day: '29' is not a day of month 2 of 2013");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        13,1,1000,1005,1200,1210,AA,11,N1AA,JFK,BOS,187    | column month: '13'
        x,1,1000,1005,1200,1210,AA,11,N1AA,JFK,BOS,187     | column month: 'x'
        3,0,1000,1005,1200,1210,AA,11,N1AA,JFK,BOS,187     | column day: '0'
        3,1,,1005,1200,1210,AA,11,N1AA,JFK,BOS,187         | column sched_dep_time: ''
        3,1,1060,1005,1200,1210,AA,11,N1AA,JFK,BOS,187     | column sched_dep_time: '1060'
        3,1,1000,2575,1200,1210,AA,11,N1AA,JFK,BOS,187     | column dep_time: '2575'
        3,1,1000,10:5,1200,1210,AA,11,N1AA,JFK,BOS,187     | column dep_time: '10:5'
        3,1,1000,NA,1200,1210,AA,11,N1AA,JFK,BOS,187       | column dep_time: 'NA'
        3,1,1000,-5,1200,1210,AA,11,N1AA,JFK,BOS,187       | column dep_time: '-5'
        3,1,1000,1005,2401,1210,AA,11,N1AA,JFK,BOS,187     | column sched_arr_time: '2401'
        3,1,1000,1005,1200,99999999999,AA,11,N1AA,JFK,BOS,187 | column arr_time: '99999999999'
        3,1,1000,,1200,1210,AA,11,N1AA,JFK,BOS,187         | column arr_time: '1210' is not possible without
        3,1,1000,1005,1200,1210,,11,N1AA,JFK,BOS,187       | column carrier: ''
        3,1,1000,1005,1200,1210,AA,0,N1AA,JFK,BOS,187      | column flight: '0'
        3,1,1000,1005,1200,1210,AA,11,N1 A,JFK,BOS,187     | column tailnum: 'N1 A'
        3,1,1000,1005,1200,1210,AA,11,N1AA,jfk,BOS,187     | column origin: 'jfk'
        3,1,1000,1005,1200,1210,AA,11,N1AA,JFK,BOSTON,187  | column dest: 'BOSTON'
        3,1,1000,1005,1200,1210,AA,11,N1AA,JFK,BOS,        | column distance: ''
        3,1,1000,1005,1200,1210,AA,11,N1AA,JFK,BOS,18.7    | column distance: '18.7'
        3,1,1000,1005,1200,1210,AA,11,N1AA,JFK,BOS         | expected 12 columns and found 11
        3,1,1000,1005,1200,1210,AA,11,N1AA,JFK,BOS,187,    | expected 12 columns and found 13
        """)
    void parse_malformedRow_namesColumnAndValue(String row, String message) {
        assertThatThrownBy(() -> parser.parse(2, row))
                .isInstanceOf(MalformedRowException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void parse_hugeOrBinaryValue_isCutAndEscapedInTheMessage() {
        assertThatThrownBy(() -> parser.parse(2, "\u001b[2J" + "x".repeat(1000)))
                .hasMessageContaining("'\\u001b[2Jxxx")
                .hasMessageEndingWith("x...'")
                .message()
                .hasSizeLessThan(120);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\uFEFF"})
    void checkHeader_allColumns_isAccepted(String mark) {
        assertThatCode(() -> FlightParser.checkHeader(mark + Rows.HEADER)).doesNotThrowAnyException();
    }

    @Test
    void checkHeader_otherColumn_namesItAndTheExpectedOne() {
        assertThatThrownBy(() -> FlightParser.checkHeader(Rows.HEADER.replace("sched_arr_time", "gate")))
                .hasMessage("column 5 of the header is 'gate' instead of 'sched_arr_time'");
    }

    @Test
    void checkHeader_moreOrFewerColumns_saysHowMany() {
        assertThatThrownBy(() -> FlightParser.checkHeader("month,day"))
                .hasMessage("the header has 2 columns instead of 12");
        assertThatThrownBy(() -> FlightParser.checkHeader(Rows.HEADER + ",delay"))
                .hasMessage("the header has 13 columns instead of 12");
    }
}
