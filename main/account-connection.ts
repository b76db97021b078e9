import { type RemoteId, remoteId } from '../shared/model/scalars.ts';
import { type AccountRecord, profileOf } from './accounts/account-record.ts';
import { readSecretFiles } from './accounts/connect-account.ts';
import type { Connection, SecretProvider } from './api/connection.ts';
import { createPartnerApi, type PartnerApi } from './api/partner-api.ts';
import type { ResponseRecord } from './api/response-record.ts';
import type { CoreOptions } from './core-types.ts';
import type { PracticeHost } from './practice/practice-host.ts';

/** Where a practice account's client speaks to while its service cannot be started: nobody answers there. */
const NOWHERE = 'http://127.0.0.1:9';

/** The signed client of an account; that of a practice account speaks to the service inside the app. */
export async function connect(
  record: AccountRecord,
  options: CoreOptions,
  practice: PracticeHost | null,
  onResponse: (record: () => ResponseRecord) => void,
): Promise<PartnerApi> {
  const service = practice === null ? null : await practice.service();
  const running = service?.ok === true ? service.value : null;
  const { signature } = profileOf(record);
  const connection: Connection = {
    baseUrl: running?.baseUrl ?? (record.practice ? NOWHERE : record.baseUrl),
    advertiserId: asRemoteId(record.advertiserId),
    consumerId: running?.account.consumerId ?? record.consumerId,
    keyVersion: running?.account.keyVersion ?? record.keyVersion,
    headerPrefix: running?.headerPrefix ?? record.headerPrefix,
    timestampUnit: signature.timestampUnit,
    signatureAlgorithm: signature.algorithm,
  };
  const secrets = practice === null ? secretsOf(record, options) : practiceSecrets(practice);
  return createPartnerApi(connection, {
    secrets,
    clock: options.clock,
    onResponse,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
}

/** Asked before every request, which brings a practice service back that has ended by itself. */
const practiceSecrets =
  (practice: PracticeHost): SecretProvider =>
  async () => {
    const service = await practice.service();
    return service.ok ? service.value.account : null;
  };

function secretsOf(record: AccountRecord, options: CoreOptions): SecretProvider {
  const { secrets } = record;
  if (secrets.kept !== 'files') return () => options.secrets.get(record.workspaceId);
  // Read at every request, so that a token renewed on disk is used at once.
  return async () => {
    const read = await readSecretFiles(secrets.keyFile, secrets.tokenFile, secrets.keyPassphraseFile ?? null);
    return read.ok ? read.value.secret : null;
  };
}

function asRemoteId(text: string): RemoteId {
  const id = remoteId(text);
  if (id === null) throw new Error('an account without an advertiser id');
  return id;
}
