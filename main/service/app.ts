import type { AppEvent } from '../../shared/api/app.ts';
import { ok } from '../../shared/result.ts';
import { loadAboutDocuments } from '../app/about-documents.ts';
import type { PreferencesPort } from '../app/core-types.ts';
import { APP_VERSION, appInfo, diagnosticReport } from '../app/diagnostic-report.ts';
import { checkForUpdate } from '../app/update-check.ts';
import type { RouterContext } from './parts.ts';
import type { AppOperations } from './router.ts';

export const appOperations = ({
  options,
  events,
  accounts,
  tasks,
}: RouterContext): Pick<AppOperations, 'app' | 'tasks'> => ({
  app: {
    info: () => ok(appInfo(options.host)),
    support: async () => {
      const facts = { info: appInfo(options.host), dataDir: options.dataDir, nowMs: options.clock.nowMs() };
      const text = diagnosticReport({
        ...facts,
        accounts: await accounts.list(),
        secrets: await options.secrets.status(),
      });
      return ok({ fileName: 'adslate-support.txt', text });
    },
    about: async () => ok(await loadAboutDocuments()),
    newer: async () => ok(await checkForUpdate(APP_VERSION, options.releases ?? null)),
    events: ({ page, signal }) => ok(beginningWith(firstNotice(options.preferences), events.subscribe(signal, page))),
    preferences: {
      get: () => ok(options.preferences.get()),
      set: (_context, input) => {
        // Absent and undefined mean "leave it": only what was given is written.
        const given = Object.entries(input).filter(([, value]) => value !== undefined);
        return ok(options.preferences.set(Object.fromEntries(given)));
      },
    },
  },
  tasks: {
    cancel: (_context, { taskId }) => ok({ cancelled: tasks.cancel(taskId) }),
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
