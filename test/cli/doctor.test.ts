import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type Computer,
  diagnoseBrowser,
  diagnoseElectron,
  diagnoseKeychain,
  diagnoseNode,
} from '../../main/hosts/cli/commands/doctor.ts';
import { testFolder } from '../folder.ts';
import { cli } from './cli.ts';

const computer: Computer = {
  platform: 'linux',
  env: { PATH: '/usr/bin', DISPLAY: ':0', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus' },
  isRoot: false,
  isExecutable: () => true,
  read: () => null,
  run: () => ({ ok: true, text: 'v45.4.1\n' }),
  programFolder: '/program',
};
const library = '/x/electron: error while loading shared libraries: libgtk-3.so.0: cannot open shared object file';

test.each<readonly [string, Partial<Computer>, string | null]>([
  ['a computer that has all of it', {}, null],
  ['no runtime', { isExecutable: (path) => !path.includes('electron') }, 'runtime is not installed'],
  ['no display', { env: { PATH: '/usr/bin' } }, 'neither DISPLAY nor WAYLAND_DISPLAY'],
  ['root', { isRoot: true }, 'does not start as root'],
  ['a missing library', { run: () => ({ ok: false, text: library }) }, 'libgtk-3.so.0 is missing'],
  ['a runtime that ends', { run: () => ({ ok: false, text: '' }) }, 'does not start on this computer'],
  ['no user namespaces', { read: (path) => (path.endsWith('clone') ? '0' : null) }, 'forbids the sandbox'],
])('the desktop app is judged on %s', (_name, differs, problem) => {
  const { ok, text } = diagnoseElectron({ ...computer, ...differs });
  expect([ok, problem === null || text.includes(problem)]).toEqual([problem === null, true]);
});

test('keychain, browser and Node are judged with the next step', () => {
  expect(diagnoseKeychain(computer, 'secret-service').ok).toBe(true);
  expect(diagnoseKeychain({ ...computer, env: {} }, null).text).toContain('There is no session bus');
  expect(diagnoseKeychain(computer, null).text).toContain('No program provides the Secret Service');
  expect(diagnoseKeychain({ ...computer, platform: 'darwin' }, null).text).toContain('storage passphrase');
  expect(diagnoseBrowser(computer)).toMatchObject({ ok: true });
  expect(diagnoseBrowser({ ...computer, isExecutable: () => false }).text).toContain('No browser found');
  expect(diagnoseBrowser({ ...computer, isExecutable: (path) => path.endsWith('firefox') }).ok).toBe(true);
  expect([diagnoseNode('24.21.0').ok, diagnoseNode('18.0.0').ok]).toEqual([true, false]);
});

test('the command names every part of this computer', async () => {
  const { out } = await cli(join(testFolder('doctor'), 'data'), 'doctor');
  for (const part of ['Node', 'data folder', 'browser', 'keychain', 'desktop app'])
    expect(out).toContain(`  ${part}: `);
});
