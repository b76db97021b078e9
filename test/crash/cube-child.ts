import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openCube } from '../../main/cube/cube.ts';
import type { PlainDate } from '../../shared/model/scalars.ts';

/** Takes in report after report until it is killed, and says each one that is in the metrics for good. */
interface Go {
  readonly file: string;
  readonly account: string;
  readonly currency: string;
  readonly folder: string;
  readonly from: number;
}

const go = JSON.parse(process.argv[2] ?? '') as Go;
// Written at once: a line that is out is out, whatever becomes of the process.
const say = (line: string | number): void => void writeSync(1, `${line}\n`);

const cube = await openCube({ file: go.file, account: go.account, currency: go.currency });
say('open');
for (let version = go.from; ; version = version + 1 < go.from + 8 ? version + 1 : version) {
  const taken = await cube.ingest({
    path: join(go.folder, `${version}.csv`),
    sha256: null,
    id: `r${version}`,
    reportType: 'campaign',
    span: null,
    fetchedAt: version,
    fetchedOn: '2026-05-04' as PlainDate,
    attributionWindow: null,
  });
  if (!taken.ok) throw new Error(taken.error.detail);
  say(version);
}
