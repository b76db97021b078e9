import { z } from 'zod';
import { operation } from './operation.ts';

/** Most letters a host name can have (RFC 1035, 2.3.4). */
const Host = z.string().min(1).max(253);

/** A host outside the deployment's list to which the service wants files of this account sent. */
export const UploadHost = z.strictObject({
  /** As it goes over the wire; an international name in its plain form. */
  host: z.string(),
  /** The same as it would be written; equal to `host` for most. */
  shown: z.string(),
  state: z.enum(['asked', 'allowed', 'refused']),
  askedAt: z.int(),
  answeredAt: z.int().nullable(),
  /** What waits for the answer, or was the reason for the question. */
  files: z.array(z.strictObject({ name: z.string(), bytes: z.int() })),
});
export type UploadHost = z.infer<typeof UploadHost>;

export const uploadHostsContract = {
  list: operation({ runs: 'main', output: z.array(UploadHost) }),
  /** Remembered for this account, for this host alone and nothing below it. */
  answer: operation({
    runs: 'main',
    access: 'write',
    input: { host: Host, allow: z.boolean() },
    output: z.array(UploadHost),
    errors: ['NO_UPLOAD_HOST'],
  }),
  /** Takes an answer back: the next upload to the host asks again. */
  forget: operation({
    runs: 'main',
    access: 'write',
    input: { host: Host },
    output: z.array(UploadHost),
    errors: ['NO_UPLOAD_HOST'],
  }),
};
