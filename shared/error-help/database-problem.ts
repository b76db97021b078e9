/** Texts for each step at which a connection can fail: what happened, to which server, and the next step. */
const TEXTS = {
  unreachable: (host, because) =>
    `Can't reach the database server ${host}${because}. Check the host, its port and your network.`,
  'bad-host': (host) => `"${host}" is not a host. Enter a name or an address, such as db.example.com:5432.`,
  'tls-name': (host) =>
    `The certificate of ${host} is for another name. Enter the name in the certificate as the host, or ask the administrator for a new certificate.`,
  'tls-authority': (host) =>
    `The certificate of ${host} is from an unknown authority. Ask the administrator of the database for the certificate of the authority, and choose it.`,
  'tls-date': (host) =>
    `The certificate of ${host} is expired or not valid yet. Check the clock of this computer. If it is right, ask the administrator for a new certificate.`,
  'tls-off': (host) =>
    `The database server ${host} offers no encryption. Adslate sends nothing in plain text. Ask the administrator to turn on TLS.`,
  tls: (host, because) =>
    `The encrypted connection to ${host} failed${because}. Ask the administrator of the database to check TLS.`,
  login: (host) => `The database server ${host} did not accept the login. Check the login and the password.`,
  database: (host) => `The server ${host} has no database with this name. Check the name of the database.`,
  'read-only': (host) =>
    `The database server ${host} can only be read: it is a standby. Wait for the primary server, or enter its host.`,
  version: (host) =>
    `The database server ${host} is older than PostgreSQL 15. Ask its administrator to update it to version 15 or newer.`,
  'disk-full': (host) =>
    `The disk of the database server ${host} is full. Ask its administrator to free up space. Until then, nothing is shared or sent.`,
  closed: (host) =>
    `The team on ${host} is closed or has moved. Ask an admin of the team where it goes on, or open Settings > Team.`,
  schema: (host) =>
    `The database on ${host} is not prepared for this version of Adslate. Ask its administrator to run "adslate team init" or "adslate team migrate".`,
  'old-version': (_host, because) => `Your team uses a newer Adslate${because}. Update Adslate, then try again.`,
  damaged: (host, because) =>
    `The log of the team on ${host} is damaged${because}. Ask the administrator of the database to compare it with a backup.`,
  pruned: (host) =>
    `The database on ${host} no longer has entries that this computer needs. Ask an admin of the team to make a snapshot.`,
  rights: (host, because) =>
    `The login may not do this in the database on ${host}${because}. Ask its administrator for the right.`,
  /** Any other message of the database. */
  refused: (host, because) =>
    `The database server ${host} reported an error${because}. Ask its administrator to look at its log.`,
  'too-many': (host) =>
    `The database server ${host} is busy or starting, or has no free connection. Try again in a minute.`,
  secrets: () => 'Credentials are locked. Unlock them in Settings, then try again.',
  forgotten: () => 'The password of the team is not on this computer. Enter it in Settings > Team, then try again.',
} satisfies Record<string, (host: string, because: string) => string>;

export type TeamStep = keyof typeof TEXTS;
export const TEAM_STEPS = Object.keys(TEXTS) as [TeamStep, ...TeamStep[]];

/** A problem with the database of a team. It contains no password and no value of a row. */
export interface DatabaseProblem {
  readonly step: TeamStep;
  /** The host that it is about, as it was typed; empty where it is about none. */
  readonly host: string;
  /** The system's message, where the step alone is not enough. */
  readonly detail: string;
}

export const databaseProblemText = ({ step, host, detail }: DatabaseProblem): string =>
  TEXTS[step](host === '' ? 'of the team' : host, detail === '' ? '' : ` (${detail})`);

/** The text for facts from an error of another source. */
export const databaseFactsText = (facts: Readonly<Record<'step' | 'host' | 'detail', string>>): string =>
  databaseProblemText({ ...facts, step: TEAM_STEPS.find((step) => step === facts.step) ?? 'refused' });
