import type { AppEvent } from '../../shared/contract/app.ts';
import { aboutTexts } from '../about-texts.ts';
import { APP_VERSION, appInfo } from '../app-info.ts';
import type { PreferencesPort } from '../core-types.ts';
import { newerVersion } from '../newer-version.ts';
import { supportText } from '../support-text.ts';
import type { CoreParts } from './parts.ts';
import { os } from './parts.ts';

export const appRouter = ({ options, events, accounts }: CoreParts) => ({
  info: os.app.info.handler(() => appInfo(options.host)),
  support: os.app.support.handler(async () => {
    const facts = { info: appInfo(options.host), dataDir: options.dataDir, nowMs: options.clock.nowMs() };
    const text = supportText({ ...facts, accounts: await accounts.list(), secrets: await options.secrets.status() });
    return { fileName: 'adslate-support.txt', text };
  }),
  about: os.app.about.handler(() => aboutTexts()),
  newer: os.app.newer.handler(() => newerVersion(APP_VERSION, options.releases ?? null)),
  events: os.app.events.handler(({ signal, context }) =>
    beginningWith(firstNotice(options.preferences), events.subscribe(signal, context.page)),
  ),
  preferences: {
    get: os.app.preferences.get.handler(() => options.preferences.get()),
    set: os.app.preferences.set.handler(({ input }) => {
      // Absent and undefined mean "leave it": only what was given is written.
      const given = Object.entries(input).filter(([, value]) => value !== undefined);
      return options.preferences.set(Object.fromEntries(given));
    }),
  },
});

/** What the first window to listen is told. */
function firstNotice(preferences: PreferencesPort): AppEvent | null {
  const message = preferences.takeProblem();
  if (message === null) return null;
  return { type: 'notice', workspaceId: null, severity: 'warning', message, params: {} };
}

async function* beginningWith(first: AppEvent | null, events: AsyncGenerator<AppEvent>): AsyncGenerator<AppEvent> {
  if (first !== null) yield first;
  yield* events;
}
