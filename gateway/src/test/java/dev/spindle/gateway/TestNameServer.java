// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import dev.spindle.gateway.config.Address;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A name server with the same IPv4 addresses for every name, none of which may be cached. */
final class TestNameServer implements AutoCloseable {
    private static final int HEAD = 12;
    private static final int TYPE_A = 1;

    private final DatagramSocket socket;
    private final AtomicInteger questions = new AtomicInteger();
    /** The addresses; if empty, each question is answered with a failure of the server. */
    volatile List<String> addresses;

    TestNameServer(List<String> addresses) throws IOException {
        this.addresses = addresses;
        socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread thread = new Thread(this::serve, "name server");
        thread.setDaemon(true);
        thread.start();
    }

    Address address() {
        return new Address("127.0.0.1", socket.getLocalPort());
    }

    /** The number of questions so far. */
    int questions() {
        return questions.get();
    }

    private void serve() {
        try {
            for (; ; ) {
                DatagramPacket packet = new DatagramPacket(new byte[512], 512);
                socket.receive(packet);
                byte[] answer = answer(packet.getData());
                questions.incrementAndGet();
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private byte[] answer(byte[] question) throws IOException {
        int end = HEAD;
        while (question[end] != 0) {
            end += question[end] + 1;
        }
        boolean isA = question[end + 2] == TYPE_A;
        end += 5; // the zero, type and class
        List<String> now = addresses;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(question, 0, 2);
        out.writeShort(now.isEmpty() ? 0x8182 : 0x8180);
        out.writeShort(1);
        out.writeShort(isA ? now.size() : 0);
        out.writeInt(0);
        out.write(question, HEAD, end - HEAD);
        if (isA) {
            for (String address : now) {
                out.writeShort(0xc00c); // the name of the question
                out.writeShort(TYPE_A);
                out.writeShort(1);
                out.writeInt(0); // its time to live
                out.writeShort(4);
                out.write(InetAddress.getByName(address).getAddress());
            }
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        socket.close();
    }
}
