const OTHER_NAME = "its certificate is for another name";
const EXPIRED = "its certificate has expired";
const NOBODYS =
  "its certificate is signed by nobody this machine trusts; NODE_EXTRA_CA_CERTS may name a file with the signer's";

/** The codes of TLS (Node.js, "TLS: X509 certificate error codes"). */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["ERR_TLS_CERT_ALTNAME_INVALID", OTHER_NAME],
  ["CERT_HAS_EXPIRED", EXPIRED],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", NOBODYS],
  ["SELF_SIGNED_CERT_IN_CHAIN", NOBODYS],
  ["UNABLE_TO_GET_ISSUER_CERT", NOBODYS],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", NOBODYS],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", NOBODYS],
]);

/** Why a server's certificate is refused, for people; for any other error, its code. */
export const certificateWords = (code: string): string => WORDS.get(code) ?? code;
