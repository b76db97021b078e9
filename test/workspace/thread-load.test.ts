import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const ENTRY = pathToFileURL(join(import.meta.dirname, '../../main/store/worker/entry.ts')).href;
const SAY_WHAT_IS_LOADED = `import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context); } });
  await import(${JSON.stringify(ENTRY)});`;

// Both threads of a workspace load before an account opens: schemas would make that half again as long.
test('the threads of a workspace load birpc and no other package, so no schemas', () => {
  const loaded = execFileSync(process.execPath, ['--input-type=module', '--eval', SAY_WHAT_IS_LOADED], {
    encoding: 'utf8',
  }).split('\n');
  const packages = loaded.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(url)?.[1] ?? []);
  expect(loaded.length).toBeGreaterThan(100);
  expect([...new Set(packages)]).toEqual(['birpc']);
});
