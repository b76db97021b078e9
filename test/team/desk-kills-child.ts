import { appendFileSync } from 'node:fs';
import { openDesk } from './desks.ts';

/** One computer that edits its own keywords until it is killed, and writes down what it was promised to keep. */
const [account = '', user = '', file = '', port = '', notes = ''] = process.argv.slice(2);
const desk = await openDesk({ account, user, file, port: Number(port) });
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
  const value = 1 + (process.pid % 1000) * 1000 + edit;
  appendFileSync(notes, `begun ${row.id} ${value}\n`);
  const done = await workspace.apply({
    label: 'Bid',
    source: 'user',
    updates: [{ kind: 'keyword', id: row.id, field: 'bid', value }],
  });
  if (done.ok) appendFileSync(notes, `kept ${row.id} ${value}\n`);
  await new Promise((resolve) => setTimeout(resolve, 30));
}
