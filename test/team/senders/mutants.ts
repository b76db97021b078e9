import type { ProtocolMutant } from '../../sync/mutants/mutants.ts';

const MODEL = 'test/team/senders/model-sender.ts';
const SENDER = 'main/team/sender.ts';

/** Where to begin when only few lives notice it: a little before the life that once did. */
const FROM: Readonly<Record<string, number>> = { 'a lease survives a failover': 2920 };

const mutant = (name: string, takesAway: string, ...edits: readonly [string, string, string][]): ProtocolMutant => ({
  name,
  takesAway,
  edits: edits.map(([file, from, to]) => ({ file, from, to })),
  ...(FROM[name] === undefined ? {} : { from: FROM[name] }),
});

/** Faults to plant in how a team sends, one at a time; the simulator has to notice each. */
export const SENDER_MUTANTS: readonly ProtocolMutant[] = [
  mutant(
    'no token',
    'an epoch that comes again after a failover is taken for the old one',
    [MODEL, '    if (s.token !== token) return false;\n', ''],
    [MODEL, ' || s.server !== this.server) return false;', ') return false;'],
    [
      MODEL,
      'Object.assign(s, { server: this.server, token: null, expiresAt: now, unreported: [...this.#desks] });',
      'Object.assign(s, { server: this.server });',
    ],
  ),
  mutant('no age check', 'a request leaves however long ago its intent was written down', [
    'main/sync/send.ts',
    'ageOf(ctx, since) > TURN_MS;',
    'false;',
  ]),
  mutant('no doubt at a takeover', 'what a colleague was sending stays as it was', [
    MODEL,
    "        if (op.state !== 'SENT') continue;\n        intent.lastAt",
    '        if (op.state) continue;\n        intent.lastAt',
  ]),
  mutant(
    'local intent first',
    'the local outbox knows a request that the database never did',
    [SENDER, '      const answer = await local.saveIntent(args);\n', ''],
    [
      SENDER,
      '      const { batch } = args;\n',
      '      const { batch } = args;\n      const answer = await local.saveIntent(args);\n',
    ],
  ),
  mutant(
    'a lease survives a failover',
    'a lease that was taken over since is back with the data of a standby',
    [MODEL, ' || s.server !== this.server) return false;', ') return false;'],
    [MODEL, 'token: null, expiresAt: now, unreported', 'unreported'],
  ),
  mutant('nobody reports', 'a database that has forgotten requests is believed', [
    MODEL,
    'unreported: [...this.#desks] });',
    'unreported: [] });',
  ]),
  mutant('nothing is recalled', 'a turn begins without what colleagues have sent', [
    SENDER,
    'await local.recallIntents({ intents: others })',
    'await local.recallIntents({ intents: [] })',
  ]),
  mutant('never sent means not sent', 'an open intent of another computer counts as never sent', [
    SENDER,
    'intent.desk === desk && intent.ops',
    'intent.desk > 0 && intent.ops',
  ]),
];
