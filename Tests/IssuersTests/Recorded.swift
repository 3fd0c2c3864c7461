/// What a server that nobody here wrote (django-oauth-toolkit 3.4.1) answered in one sign-in on loopback.
enum Recorded {
  static let issuer = "http://127.0.0.1:4695/o"
  /// When the tokens were issued, in seconds since 1970.
  static let wall: Int64 = 1_796_011_585

  static let metadata = """
    {"issuer": "http://127.0.0.1:4695/o", "authorization_endpoint": "http://127.0.0.1:4695/o/authorize/", "t\
    oken_endpoint": "http://127.0.0.1:4695/o/token/", "userinfo_endpoint": "http://127.0.0.1:4695/o/userinfo\
    /", "jwks_uri": "http://127.0.0.1:4695/o/.well-known/jwks.json", "scopes_supported": ["openid", "profile\
    ", "email", "offline_access"], "response_types_supported": ["code"], "subject_types_supported": ["public\
    "], "id_token_signing_alg_values_supported": ["RS256", "HS256"], "token_endpoint_auth_methods_supported"\
    : ["none", "client_secret_basic", "client_secret_post"], "code_challenge_methods_supported": ["S256"], "\
    claims_supported": ["sub"], "prompt_values_supported": ["none", "login"], "client_id_metadata_document_s\
    upported": false, "authorization_response_iss_parameter_supported": true, "end_session_endpoint": "http:\
    //127.0.0.1:4695/o/logout/"}
    """

  static let keys = """
    {"keys": [{"alg": "RS256", "use": "sig", "kid": "fIFKTEfsRxwEnk1oxvr_KE-erWW0HZF9TnTYv3UZKus", "e": "AQA\
    B", "kty": "RSA", "n": "0uOWlKYxxPtWS7VF0KJ7f6-bLoByYx03YeY4C6hwhYK1UsS4eVyuFK9ataIpZp6G_wiOLENY627KUYMV\
    p3GkEUtkN1EHhlYsi8iv2FSQWBMELqtFsoCuJyFnWl40Eu04Wj1ajGe4t_unJJvg4jqepYtq7TLtqHyddcDoqIMjW1vSdH_taPTxfCb2\
    iR1mtuwuF3tDXk3mvvgfu6agiUVwv7IV13cJ21igVDJkdlven4bl83ubnGvEAvm4SR-y9kE6SLYjFbrLWp73SZnlrzg5FZxmZEtW-sUM\
    vZn2xNDjivXz0f8DYh13yKmsGOUmNVGfKEKwb06tsCaPeGpYFnOhGQ"}]}
    """

  static let tokens = """
    {"access_token": "y3IYzNiyMdcCb6L79B9snTQeNBphfE", "expires_in": 3600, "token_type": "Bearer", "scope": \
    "openid profile email offline_access", "refresh_token": "NaZFuuLFZ9pvHTWUxYd49YVnbpzBAX", "id_token": "e\
    yJ0eXAiOiAiSldUIiwgImFsZyI6ICJSUzI1NiIsICJraWQiOiAiZklGS1RFZnNSeHdFbmsxb3h2cl9LRS1lcldXMEhaRjlUblRZdjNVW\
    kt1cyJ9.eyJhdWQiOiAibmF0aXZlIiwgImlhdCI6IDE3OTYwMTE1ODUsICJub25jZSI6ICJuMSIsICJhdF9oYXNoIjogIlV3VEdORGlr\
    SFJIWG1qdWdzQm41ckEiLCAic3ViIjogIjEiLCAiaXNzIjogImh0dHA6Ly8xMjcuMC4wLjE6NDY5NS9vIiwgImV4cCI6IDE3OTYwNDc1\
    ODUsICJhdXRoX3RpbWUiOiAxNzk2MDExNTg1LCAianRpIjogIjE4YzI4NGU1LWVjMWQtNDVmZS04MzFmLTA5YzI3OWY1MTFlMiJ9.Gsk\
    cHnsKN14K3IpnfomIevDS_lGiusG3PHpx9y7DzDGbzJFHUVEPtd7E39zGscCi0k8lg4v2u7QgOBXyKjtzCO2mEooJDxap-o6UIwx9mCY\
    0839RjERHHH9qcMNOl0Gi3kMKGRG1TnM-xN6IV-tlmdel9HqsuRIeK71FIBRppxL2wny7nsot95P2BG2CnHCOGyS7Gw0m3AVmylpAmDn\
    lStejhqUYaIt2Sisk7jUF5Y0XF0e-1ligMTF8Q1u6a6M_eNYOr6Edb2srY-vmge88kWqjPBZIVoOiAY3nARGR8Nox9JVgNBUbqUYBSTm\
    iep2WpeMUiV6ehkOFINepR3cyiQ"}
    """
}
