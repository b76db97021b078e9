import { appendFileSync, writeSync } from 'node:fs';
import type { Workspace } from '../../main/store/workspace.ts';
import { openDesk } from './desks.ts';

const say = (word: 'push' | 'pull'): void => void writeSync(1, `${word}\n`);

/** Says when a push is about to leave, and when entries of the log are about to be taken in. */
const watched = (workspace: Workspace): Workspace => {
  const own: Partial<Workspace> = {
    teamOffer: async () => {
      const offer = await workspace.teamOffer();
      if (offer !== null) say('push');
      return offer;
    },
    teamFold: (entries) => {
      say('pull');
      return workspace.teamFold(entries);
    },
  };
  return Object.assign(Object.create(workspace) as Workspace, own);
};

/** One computer that edits its own keywords until it is killed, and writes down what it was promised to keep. */
const [account = '', user = '', file = '', port = '', notes = '', start = ''] = process.argv.slice(2);
const desk = await openDesk({ account, user, file, port: Number(port), watched });
const { workspace, sharing } = desk;
sharing.link.start();
const ids = await workspace.campaignIds('all');
const mine = (await workspace.treesOf(ids)).filter(({ campaign }) => campaign.values.name === `Of ${user}`);
const keywords = mine.flatMap(({ keywords }) => keywords);
if (keywords.length === 0) {
  const group = { at: 1 };
  const bid = (at: number) => ({
    kind: 'keyword' as const,
    parent: group,
    values: { text: `w ${at}`, matchType: 'exact', bid: 100 },
  });
  const campaign = {
    name: `Of ${user}`,
    campaignType: 'sponsoredProducts',
    targetingType: 'manual',
    dailyBudget: 5000,
  };
  const made = await workspace.apply({
    label: 'New',
    source: 'user',
    creates: [
      { kind: 'campaign', parent: null, values: campaign },
      { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Group' } },
      ...Array.from({ length: 5 }, (_, at) => bid(at)),
    ],
  });
  if (!made.ok) throw new Error('not created');
  process.exit(0);
}
for (let edit = 0; ; edit++) {
  const row = keywords[edit % keywords.length];
  if (row === undefined) break;
  // No value comes twice for a row, whichever process writes it.
  const value = Number(start) * 100_000 + edit;
  appendFileSync(notes, `begun ${row.id} ${value}\n`);
  const done = await workspace.apply({
    label: 'Bid',
    source: 'user',
    updates: [{ kind: 'keyword', id: row.id, field: 'bid', value }],
  });
  if (done.ok) appendFileSync(notes, `kept ${row.id} ${value}\n`);
  await new Promise((resolve) => setTimeout(resolve, 30));
}
