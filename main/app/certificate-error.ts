const CODES =
  /^(CERT_|ERR_CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_SSL_PINNED|HOSTNAME_MISMATCH|ERR_SSL_)/;

/**
 * Whether an error code of OpenSSL, Node or Chromium says that the other side could not prove who it is. The handshake comes before
 * the request, so nothing of it has left.
 */
export const isCertificateError = (code: string): boolean => CODES.test(code);
