import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A certificate that signs itself, with its key, both as PEM. */
export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;

/**
 * Makes a certificate (RFC 5280) for one host, signed by itself: whoever is told to trust it trusts it, nobody else does. Made
 * anew for each run, so that no key lies about.
 *
 * @param days how long it is good for, from yesterday; 0 for one that was over yesterday
 */
export function aCertificate(host: string, days = 1): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(OID.commonName, tagged(0x0c, Buffer.from(host)))));
  const algorithm = sequence(OID.ecdsaWithSha256);
  const from = Date.now() - (days === 0 ? 3 : 1) * DAY_MS;
  const until = days === 0 ? Date.now() - DAY_MS : Date.now() + days * DAY_MS;
  const alternativeNames = sequence(tagged(0x82, Buffer.from(host)));
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    // The first bit stays clear, so that the number is positive.
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(sequence(OID.subjectAlternativeName, tagged(0x04, alternativeNames)))),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  const whole = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const OID = {
  commonName: oid(0x55, 0x04, 0x03),
  subjectAlternativeName: oid(0x55, 0x1d, 0x11),
  ecdsaWithSha256: oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02),
};

function oid(...bytes: readonly number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

/** Tag, length and content (DER). */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts));
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
/** UTCTime: `YYMMDDHHMMSSZ`. */
const time = (epochMs: number): Buffer =>
  tagged(0x17, Buffer.from(`${new Date(epochMs).toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));
