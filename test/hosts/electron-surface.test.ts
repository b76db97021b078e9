import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { webPreferences, windowOptions } from '../../main/hosts/electron/window-settings.ts';
import { lineage, readSurface } from './electron-surface.ts';
import { createGuard } from './stand-in-guard.ts';

/** The surface that stands in for the runtime comes out of its own declarations, and refuses what is not there. */
const surface = readSurface();

describe('the settings of a window', () => {
  test.each([
    ['WebPreferences', webPreferences('/preload.cjs')],
    ['BrowserWindowConstructorOptions', windowOptions('/preload.cjs', true, null)],
  ])('are words that %s has', (type, settings) => {
    const known = lineage(surface, type).types;
    expect(known.length).toBeGreaterThan(0);
    const unknown = Object.keys(settings).filter((name) => !known.some(({ members }) => members.has(name)));
    expect(unknown).toEqual([]);
  });
});

describe('the guard', () => {
  /** As code that was built would see it, without types. */
  const of = (name: string, behaviour: unknown = new EventEmitter()): Record<string, unknown> =>
    createGuard(surface).value(name, behaviour) as never;
  const call = (target: object, member: string, ...words: readonly unknown[]): unknown =>
    Reflect.apply(Reflect.get(target, member) as () => unknown, target, words);

  test('lets pass what is declared, and counts it', () => {
    const guard = createGuard(surface);
    const app = guard.value('app', new EventEmitter()) as object;
    expect(call(app, 'enableSandbox')).toBeUndefined();
    call(app, 'on', 'second-instance', () => {});
    expect(guard.calls).toEqual(['app.enableSandbox', 'app.on']);
  });

  test('refuses members, events and values that Electron does not have', () => {
    expect(() => of('app')['enableSandBox']).toThrow('Electron has no app.enableSandBox.');
    expect(() => call(of('app'), 'on', 'second-instanz', () => {})).toThrow(
      'Electron has no event "second-instanz" of app.',
    );
    expect(() => of('remote')).toThrow('Electron has no remote.');
    expect(() => of('Menu', {})['buildFromTemplates']).toThrow('Electron has no Menu.buildFromTemplates.');
    const sessions = of('session', { defaultSession: {} });
    expect(() => Reflect.get(sessions['defaultSession'] as object, 'setPermissionHandler')).toThrow(
      'Electron has no session.defaultSession.setPermissionHandler.',
    );
  });

  test('holds what a class makes to the class', () => {
    const Made = of('BrowserWindow', class extends EventEmitter {}) as unknown as new (options: object) => object;
    const window = new Made({});
    expect(call(window, 'setProgressBar', 0.5)).toBeUndefined();
    expect(() => Reflect.get(window, 'setProgres')).toThrow('Electron has no BrowserWindow.setProgres.');
    expect(() => call(window, 'on', 'will-navigate', () => {})).toThrow(/no event "will-navigate" of BrowserWindow/);
  });
});
