import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { share } from '../share.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'adslate-defect-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test.each(share('failures that nobody caught', ['thrown', 'rejected'], 2))(
  'a failure that nobody caught, %s, is one line of the log, a sentence without a stack, and the end',
  (how) => {
    const child = spawnSync(process.execPath, [join(import.meta.dirname, 'exit-messages-child.ts'), dataDir, how], {
      encoding: 'utf8',
    });
    expect(child.status).toBe(1);
    expect(child.stderr).toMatch(/^Adslate has to close because .*TypeError: planted.*Your edits are saved/s);
    expect(child.stderr).not.toMatch(/went on|^ +at /m);
    const lines = readFileSync(join(dataDir, 'log', 'adslate.log'), 'utf8')
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        event: 'unexpected failure',
        operation: 'host',
        error: 'TypeError: planted in two lines',
      }),
    ]);
  },
);
