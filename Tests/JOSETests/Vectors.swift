import JOSE
import JSON
import Secrets
import Sodium

/// A secret made from text, for tests.
func box(_ text: String) throws -> SecretBox {
  SecretBox(unsafe try SecretBytes(copying: Array(text.utf8).span.bytes))
}

/// An object made from JSON text, for tests.
func object(_ text: String) throws -> JSONObject { unsafe try JSONReader.parseObject(Array(text.utf8).span.bytes) }

func keySet(_ keys: String...) throws -> JSONWebKeySet {
  try JSONWebKeySet(reading: box(#"{"keys":[\#(keys.joined(separator: ","))]}"#))
}

/// A token of three parts whose header and claims are given as text and whose signature is made up.
func forged(header: String, claims: String = #"{"sub":"7"}"#, signature: [UInt8] = [UInt8](repeating: 1, count: 64))
  throws -> SecretBox
{
  let parts = [Array(header.utf8), Array(claims.utf8), signature].map { Base64URL.encode($0) }
  return try box(parts.joined(separator: "."))
}

/// Keys and tokens that other implementations made.
enum Vectors {
  /// RFC 7515 appendix A.3.
  static let rfcKey = """
    {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}
    """
  static let rfcToken = """
    eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ\
    .DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
    """

  /// Made by PyJWT.
  static let ecKey = """
    {"kty":"EC","kid":"e1","crv":"P-256","x":"guSQqV8Pcnu8QZ9d70cGrF-JQPIdFliPNCDBviDaVhE",
    "y":"BI6Fehb-aVanbpHWhwuUOVB604RosqjqykogPH27MIM"}
    """
  static let ecToken = """
    eyJhbGciOiJFUzI1NiIsImtpZCI6ImUxIiwidHlwIjoiSldUIn0.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwic3ViIjoiNyJ9.\
    DaUw5rEvQjnNgg6w4cDtaGBtLXESnupKd5q4sg7lARxsUTrT25g7BczW49Tq6VHraSgby2EHBVAWvPlAMLW5ZQ
    """
  static let rsaModulus = """
    qt90R6L303AzZ4wOVasU8yqZcj0xU64szDNTckc4hI2khQ2TwklFCR5xg8WGN7ukcEh3-iQu-M3Gsx_gvvA4FGGI7KA8DNgUh-toc9MtwxrNcpKSn6JE\
    hR3f9YwMQ-9XJPylNZBSvmOCDPqc6-64zY4KxTmRzFeNlBTnHFBnvfaf0t_P1_0uvOvWE2wTHij1azZZiwq7V5r9oBaE4Ohx1B47R7MGOHIRtyp9pPGI\
    yP6v64XuTl3eIa3_NCKwLKjORZvAQHhbiWCq4lG9nTAQhrC7XEs6uRdKCxfeBWRQkv9pUXxbuBlX9CyjBT37jFtzqSJY6ZdbdlCDshwFth2TsQ
    """
  static let rsaKey = #"{"kty":"RSA","kid":"r1","n":"\#(rsaModulus)","e":"AQAB"}"#
  static let rsaToken = """
    eyJhbGciOiJSUzI1NiIsImtpZCI6InIxIiwidHlwIjoiSldUIn0.eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwic3ViIjoiNyJ9.\
    IDsx_MW-DTL-UQN3qeuW2qhn_xMoYhmHquTPlLhezpJ9ExwfezCENpXHAo6GfJoxl6t9HDyQk7VBXM14kswYzQlUjurCIMxFZUyaiwmabC6JrjKqnzLq\
    kdPwYeh6CyH4Hcpo4NAb3iMrxFz_ir0xr0IMr-7xGQoIJ86ue1nvrFstWzA4b_w8oLycqL4hfL8G6Az7KceaIqNnzDf2rZ_F78l9Na4C0pQAEQbj7T9f\
    udBxaIMtUovplvMRjiVjDAs1HsDTkYoUNaKZeIrW8cvQsfogrgKo715AtoSURJOZXm8U19XakFT2zioU0ZFA4LaeYav6B9Au954fx_dMMi-Hhw
    """
  /// Made by Python's cryptography. `at_hash` is that of the access token `opaque-access-token`.
  static let edKey = #"{"kty":"OKP","kid":"d1","crv":"Ed25519","x":"Bsrc0ivoeEHHM5bLCg_xZHNb-4piK818iiOYAoxb_9A"}"#
  static let edToken = """
    eyJhbGciOiJFZERTQSIsImtpZCI6ImQxIiwidHlwIjoiSldUIn0.\
    eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwic3ViIjoiNyIsImF0X2hhc2giOiJjblAydEZhanVJLW1Oc0xkM21rcVZkalRPdlhMamdTZ0gzMzBZUThEZE1zIn0.\
    D4ZWIgRvDT6F7ilov85ymPdZ_daDw6Oc1vGuYrWGIrJOqnjcJubm42bqnIqn5VYMPxzxFTLwzjGm4aD2qeBkCQ
    """
  static let ed25519Token = """
    eyJhbGciOiJFZDI1NTE5Iiwia2lkIjoiZDEiLCJ0eXAiOiJKV1QifQ.\
    eyJpc3MiOiJodHRwczovL2lzc3Vlci5leGFtcGxlIiwic3ViIjoiNyJ9.\
    xPSqHDj_Jq3OytPDHNOfPXDCYyL_luTxGPj_H8KbT7sLqoe5jvICHkF_nkNGu5bGHr0MhGaKP_HCBPZ_BoFYAg
    """

  /// RFC 8037 appendix A.2 and A.4; what is signed there is a sentence, and no claims.
  static let rfcEdKey = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#
  static let rfcEdToken = """
    eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.\
    hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg
    """

  /// An RSA key of 1024 bits.
  static let weakKey = """
    {"kty":"RSA","kid":"r1","n":"smvKKs8uhlJtcgV1g98KuwsB-vIZJvCTbOiVNuzuxxYNGlMHQ2L_fmWUPbRhD6MtMv5fdhjHT7FroBE6fk8Ks2wu\
    3hkHDiKmynb_Ln0D8ktWTzl_ttfDUPm-jY_3SV4lKqgK_2zOmiuMDmx57fxL6Q4XuQZFv0iy7EVqHSxO23E","e":"AQAB"}
    """
}
