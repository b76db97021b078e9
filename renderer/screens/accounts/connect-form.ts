import { en } from '../../messages/en.ts';

export const CONNECT_FIELDS = [
  'name',
  'baseUrl',
  'advertiserId',
  'consumerId',
  'keyVersion',
  'retailHost',
  'headerPrefix',
] as const;
export type ConnectField = (typeof CONNECT_FIELDS)[number];

/** The form as typed; the files themselves stay with the browser until they are granted to main. */
export interface ConnectForm extends Readonly<Record<ConnectField, string>> {
  readonly extensions: boolean;
  readonly key: File | null;
  readonly token: File | null;
  readonly passphrase: string;
}

export const EMPTY_CONNECT: ConnectForm = {
  name: '',
  baseUrl: '',
  advertiserId: '',
  consumerId: '',
  keyVersion: '1',
  retailHost: '',
  headerPrefix: 'SVC',
  extensions: true,
  key: null,
  token: null,
  passphrase: '',
};

export type ConnectProblems = Partial<Record<ConnectField | 'key' | 'token', string>>;

/** What keeps the form from being sent, by field. The service's own verdict comes later. */
export function problemsOf(form: ConnectForm): ConnectProblems {
  const problems: ConnectProblems = {};
  for (const field of CONNECT_FIELDS) {
    if (form[field].trim() === '') problems[field] = en.connect.missing;
  }
  if (problems.baseUrl === undefined && !URL.canParse(form.baseUrl)) problems.baseUrl = en.connect.url;
  if (problems.advertiserId === undefined && !/^(?=.*[1-9])\d{1,19}$/.test(form.advertiserId)) {
    problems.advertiserId = en.connect.digits;
  }
  if (problems.retailHost === undefined && /[/:\s]/.test(form.retailHost)) problems.retailHost = en.connect.host;
  if (form.key === null) problems.key = en.connect.fileMissing;
  if (form.token === null) problems.token = en.connect.fileMissing;
  return problems;
}
