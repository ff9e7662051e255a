//! Whole requests and responses: size prefix, header, body.
//!
//! A frame on the wire is four bytes of size, then that many bytes: header and body. What is decoded here comes without
//! the size prefix, what is encoded here has it.

use bytes::BytesMut;

use super::api_key::{ApiKey, request_header_version, response_header_version};
use super::messages::{RequestHeader, ResponseHeader};
use super::wire::{DecodeError, EncodeError, Hole, Message, Reader, Request, Response, Writer};

/// Bytes of the size prefix.
pub const SIZE_PREFIX: usize = 4;

fn writer_for(frame_bytes: usize, buffer_bytes: usize) -> Result<Writer, EncodeError> {
    let size = i32::try_from(frame_bytes).map_err(|_| EncodeError::TooLong(frame_bytes))?;
    let mut writer = Writer::with_capacity(SIZE_PREFIX + buffer_bytes);
    writer.i32(size);
    Ok(writer)
}

/// A request, ready to be sent. Its records must be in memory.
///
/// # Errors
/// [`EncodeError`] if this version cannot carry the request, or if it has a hole.
pub fn encode_request<'a, R: Request<'a>>(
    correlation_id: i32,
    client_id: Option<&str>,
    version: i16,
    request: &R,
) -> Result<BytesMut, EncodeError> {
    let header = RequestHeader {
        request_api_key: R::API_KEY.0,
        request_api_version: version,
        correlation_id,
        client_id,
    };
    let header_version = request_header_version(R::API_KEY, version);
    let body = request.encoded_size(version);
    if body.hole_bytes > 0 {
        return Err(EncodeError::UnexpectedHole);
    }
    let bytes = header.encoded_len(header_version) + body.bytes;
    let mut writer = writer_for(bytes, bytes)?;
    header.encode(&mut writer, header_version)?;
    request.encode(&mut writer, version)?;
    debug_assert_eq!(writer.len(), SIZE_PREFIX + bytes);
    Ok(writer.finish().0)
}

/// A response and the holes in it where records go; the size prefix counts the holes' bytes.
///
/// # Errors
/// [`EncodeError`] if this version cannot carry the response.
pub fn encode_response<'a, R: Response<'a>>(
    correlation_id: i32,
    version: i16,
    response: &R,
) -> Result<(BytesMut, Vec<Hole>), EncodeError> {
    let header = ResponseHeader { correlation_id };
    let header_version = response_header_version(R::API_KEY, version);
    let header_bytes = header.encoded_len(header_version);
    let body = response.encoded_size(version);
    let mut writer = writer_for(header_bytes + body.total(), header_bytes + body.bytes)?;
    header.encode(&mut writer, header_version)?;
    response.encode(&mut writer, version)?;
    debug_assert_eq!(writer.len(), SIZE_PREFIX + header_bytes + body.bytes);
    debug_assert_eq!(writer.hole_bytes(), body.hole_bytes);
    Ok(writer.finish())
}

/// The header of a request, and a reader that stands at its body.
///
/// The header's own version follows from the key and version in its first four bytes. An unknown key is no error here:
/// its header is read as the old one.
///
/// # Errors
/// [`DecodeError`] if the bytes are no header.
pub fn decode_request_header<'a>(frame: &'a [u8]) -> Result<(RequestHeader<'a>, Reader<'a>), DecodeError> {
    let mut peek = Reader::new(frame);
    let key = ApiKey(peek.i16()?);
    let version = peek.i16()?;
    let mut reader = Reader::new(frame);
    let header = RequestHeader::decode(&mut reader, request_header_version(key, version))?;
    Ok((header, reader))
}

/// A request whose key and version the caller has read with [`decode_request_header`].
///
/// # Errors
/// [`DecodeError`] if the body is not this request in this version, or has bytes behind it.
pub fn decode_body<'a, M: Message<'a>>(mut body: Reader<'a>, version: i16) -> Result<M, DecodeError> {
    let message = M::decode(&mut body, version)?;
    body.finish()?;
    Ok(message)
}

/// The correlation id and the body of a response to a request of this version.
///
/// # Errors
/// [`DecodeError`] if the bytes are not this response, or more than it.
pub fn decode_response<'a, R: Response<'a>>(frame: &'a [u8], version: i16) -> Result<(i32, R), DecodeError> {
    let mut reader = Reader::new(frame);
    let header = ResponseHeader::decode(&mut reader, response_header_version(R::API_KEY, version))?;
    Ok((header.correlation_id, decode_body(reader, version)?))
}

#[cfg(test)]
mod tests {
    use super::super::messages::fetch::{FetchableTopicResponse, PartitionData};
    use super::super::messages::{ApiVersionsRequest, ApiVersionsResponse, FetchResponse};
    use super::super::wire::Records;
    use super::*;

    #[test]
    fn a_request_comes_back_with_its_header() {
        let request = ApiVersionsRequest {
            client_software_name: "x",
            client_software_version: "1",
            ..Default::default()
        };
        let frame = encode_request(7, Some("me"), 3, &request).unwrap();
        let (size, frame) = frame.split_at(4);
        assert_eq!(u32::from_be_bytes(size.try_into().unwrap()) as usize, frame.len());
        let (header, body) = decode_request_header(frame).unwrap();
        assert_eq!((header.request_api_key, header.request_api_version), (18, 3));
        assert_eq!((header.correlation_id, header.client_id), (7, Some("me")));
        assert_eq!(decode_body::<ApiVersionsRequest<'_>>(body, 3).unwrap(), request);
    }

    #[test]
    fn holes_are_counted_in_the_frame_and_lie_where_records_belong() {
        let (long, short) = (vec![7u8; 300], vec![9u8; 5]);
        let partition = |records| PartitionData { records, ..Default::default() };
        let response = |a, b| FetchResponse {
            responses: vec![FetchableTopicResponse {
                partitions: vec![partition(a), partition(Records::Null), partition(b)],
                ..Default::default()
            }],
            ..Default::default()
        };
        for version in FetchResponse::MIN_VERSION..=FetchResponse::MAX_VERSION {
            let whole = encode_response(1, version, &response(Records::Slice(&long), Records::Slice(&short)))
                .unwrap();
            assert_eq!(whole.1, []);
            let (head, holes) =
                encode_response(1, version, &response(Records::Hole(300), Records::Hole(5))).unwrap();
            let [(first, 300), (second, 5)] = holes[..] else { panic!("{holes:?}") };
            let joined = [&head[..first], &long, &head[first..second], &short, &head[second..]].concat();
            assert_eq!(joined, whole.0);
            let (correlation_id, back) = decode_response::<FetchResponse<'_>>(&joined[4..], version).unwrap();
            assert_eq!(correlation_id, 1);
            assert_eq!(back, response(Records::Slice(&long), Records::Slice(&short)));
        }
    }

    #[test]
    fn an_api_versions_response_has_the_old_header_in_every_version() {
        let (frame, _) = encode_response(5, 4, &ApiVersionsResponse::default()).unwrap();
        assert_eq!(frame[4..8], [0, 0, 0, 5]);
        assert_eq!(frame[8..10], [0, 0]);
    }
}
