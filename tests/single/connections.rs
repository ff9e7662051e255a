//! F23: foreign bytes and silent clients. tests/limits has the floods and the limits.

use std::time::Duration;

use crate::broker::Broker;
use crate::raw::Raw;

#[test]
fn f23_tls_and_frames_of_forbidden_sizes_close_only_their_connection() {
    let broker = Broker::start(&["socket.request.max.bytes=10000"]);
    let mut good = Raw::connect(broker.address());
    good.works();
    let client_hello = [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01];
    let too_large = 10_001i32.to_be_bytes();
    let negative = (-5i32).to_be_bytes();
    for bytes in [&client_hello[..], &too_large, &negative, &[0, 0, 0, 0]] {
        let mut bad = Raw::connect(broker.address());
        bad.send_bytes(bytes);
        assert_eq!(bad.receive(), None, "{bytes:?}");
    }
    good.works();
}

#[test]
fn f23_silent_connections_are_closed_and_busy_ones_are_not() {
    let broker = Broker::start(&["connections.max.idle.ms=600"]);
    let mut silent = Raw::connect(broker.address());
    let mut busy = Raw::connect(broker.address());
    for _ in 0..15 {
        busy.works();
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(silent.receive(), None);
    busy.works();
}
