import { createRouterClient, EventPublisher, implement } from '@orpc/server';
import type { Connection } from '../../renderer/transport/connection.ts';
import type { Account } from '../../shared/contract/accounts.ts';
import type { AppEvent, Preferences } from '../../shared/contract/app.ts';
import { contract } from '../../shared/contract/contract.ts';
import type { SecretsStatus } from '../../shared/contract/secrets.ts';
import type { Review } from '../../shared/contract/sync.ts';
import { KINDS } from '../../shared/model/kinds.ts';
import { asWorkspaceId } from '../../shared/model/scalars.ts';
import { DOCUMENT_LIMITS } from '../../shared/profile/document-limits.ts';
import { createMemoryAccount, type MemoryAccount } from './memory-account.ts';
import { memoryBulk, memoryPaste } from './memory-bulk.ts';
import { memoryCopyAcross } from './memory-copy-across.ts';
import { memoryFiles } from './memory-files.ts';
import { memoryHistory } from './memory-history.ts';
import { memoryNotes } from './memory-notes.ts';
import { memoryReports } from './memory-reports.ts';
import { memorySync } from './memory-sync.ts';
import { memoryWorkspace } from './memory-workspace.ts';

/** Practice accounts have no secrets of the user's. */
const SECRETS: SecretsStatus = { grade: 'memory', state: 'open', problem: null, store: null, offered: ['memory'] };

export interface MemoryDesk {
  readonly connection: Connection;
  readonly account: MemoryAccount;
  readonly preferences: () => Preferences;
  readonly announce: (event: AppEvent) => void;
}

const WORKSPACE = asWorkspaceId('practice-1');

/**
 * The contract answered from memory, so that components can be rendered without a host. It stands in for main,
 * not for a module of ours: every call goes through the contract's own checks.
 */
export function createMemoryDesk(
  options: { keywords?: number; accounts?: number; reviews?: () => Review[] } = {},
): MemoryDesk {
  const publisher = new EventPublisher<{ app: AppEvent }>();
  const announce = (event: AppEvent): void => publisher.publish('app', event);
  const account = createMemoryAccount(options.keywords ?? 40, (revision) =>
    announce({ type: 'workspace.changed', workspaceId: WORKSPACE, revision, kinds: [...KINDS] }),
  );
  const accounts: Account[] = [];
  const practice = (name: string): Account => ({
    workspaceId: WORKSPACE,
    name,
    advertiserId: '900001',
    practice: true,
    baseUrl: 'http://127.0.0.1:1',
    retailHost: 'www.example.com',
    color: '#0b7285',
    keyFingerprint: null,
    secrets: 'practice',
    mode: 'normal',
  });
  if ((options.accounts ?? 1) > 0) accounts.push(practice('Practice'));
  let preferences: Preferences = {
    colorScheme: 'system',
    lastWorkspaceId: null,
    locale: null,
    quietHours: null,
    layout: {},
  };

  const os = implement(contract);
  const router = os.router({
    tasks: { cancel: os.tasks.cancel.handler(() => ({ cancelled: false })) },
    app: {
      info: os.app.info.handler(() => ({
        version: '0.1.0',
        host: 'web',
        platform: 'linux',
        node: '24',
        sqlite: '3.51.3',
        electron: null,
      })),
      support: os.app.support.handler(() => ({ fileName: 'adslate-support.txt', text: '' })),
      about: os.app.about.handler(() => ({ licences: null, reliability: null })),
      newer: os.app.newer.handler(() => ({
        state: 'newer' as const,
        version: '9.0.0',
        url: 'https://adslate.example/',
      })),
      events: os.app.events.handler(async function* ({ signal }) {
        yield* publisher.subscribe('app', signal === undefined ? {} : { signal });
      }),
      preferences: {
        get: os.app.preferences.get.handler(() => preferences),
        set: os.app.preferences.set.handler(({ input }) => {
          preferences = {
            colorScheme: input.colorScheme ?? preferences.colorScheme,
            lastWorkspaceId: input.lastWorkspaceId ?? preferences.lastWorkspaceId,
            locale: input.locale === undefined ? preferences.locale : input.locale,
            quietHours: input.quietHours === undefined ? preferences.quietHours : input.quietHours,
            layout: input.layout ?? preferences.layout,
          };
          return preferences;
        }),
      },
    },
    accounts: {
      list: os.accounts.list.handler(() => accounts),
      addPractice: os.accounts.addPractice.handler(({ input }) => {
        const added = practice(input.name);
        accounts.push(added);
        announce({ type: 'accounts.changed' });
        return added;
      }),
      connect: os.accounts.connect.handler(({ errors }) => {
        throw errors.BAD_CREDENTIALS({ data: { step: 'key', detail: '' } });
      }),
      rename: os.accounts.rename.handler(() => practice('Practice')),
      setMode: os.accounts.setMode.handler(() => practice('Practice')),
      profile: os.accounts.profile.handler(() => ({ text: '', differences: [], notes: [], limits: DOCUMENT_LIMITS })),
      setProfile: os.accounts.setProfile.handler(() => ({
        text: '',
        differences: [],
        notes: [],
        limits: DOCUMENT_LIMITS,
      })),
      capabilities: os.accounts.capabilities.handler(() => []),
      probeCapabilities: os.accounts.probeCapabilities.handler(() => []),
      setCapability: os.accounts.setCapability.handler(() => []),
      remove: os.accounts.remove.handler(() => ({ removed: [] })),
    },
    secrets: {
      status: os.secrets.status.handler(() => SECRETS),
      choose: os.secrets.choose.handler(() => SECRETS),
      unlock: os.secrets.unlock.handler(() => SECRETS),
      lock: os.secrets.lock.handler(() => SECRETS),
      forget: os.secrets.forget.handler(() => SECRETS),
    },
    workspace: memoryWorkspace(account),
    backups: {
      list: os.backups.list.handler(() => []),
      make: os.backups.make.handler(() => ({ backupId: 'by-hand', reason: 'by-hand' as const, at: 0, bytes: 0 })),
      preview: os.backups.preview.handler(({ errors, input }) => {
        throw errors.NO_BACKUP({ data: { backupId: input.backupId } });
      }),
      restore: os.backups.restore.handler(({ errors, input }) => {
        throw errors.NO_BACKUP({ data: { backupId: input.backupId } });
      }),
      salvage: os.backups.salvage.handler(({ errors }) => {
        throw errors.NO_WORKSPACE({ data: { workspaceId: '' } });
      }),
      condition: os.backups.condition.handler(() => ({ writable: true, notes: [] })),
      settle: os.backups.settle.handler(() => ({})),
    },
    bulk: memoryBulk(account),
    copyAcross: memoryCopyAcross(),
    paste: memoryPaste(account),
    ...memoryNotes(account),
    history: memoryHistory(account),
    ...memoryFiles(account),
    standing: {
      get: os.standing.get.handler(() => ({
        budgetLeft: 2998,
        budgetPerHour: 3000,
        nextPollAt: null,
        reachable: true,
        limitedUntil: null,
        lowSpaceBytes: null,
      })),
    },
    ...memorySync(options.reviews ?? (() => [])),
    ids: {
      scan: os.ids.scan.handler(() => ({ scanId: 'scan', fileName: null, ids: 0, damaged: [], notSearched: null })),
      apply: os.ids.apply.handler(({ errors }) => {
        throw errors.NOTHING_TO_DO({ data: {} });
      }),
      report: os.ids.report.handler(({ input, errors }) => {
        throw errors.NO_GRANT({ data: { grant: input.scanId } });
      }),
      mend: os.ids.mend.handler(({ input, errors }) => {
        throw errors.NO_GRANT({ data: { grant: input.scanId } });
      }),
    },
    templates: {
      list: os.templates.list.handler(() => []),
      save: os.templates.save.handler(({ input }) => [input.template]),
      remove: os.templates.remove.handler(() => []),
    },
    rules: {
      list: os.rules.list.handler(() => []),
      save: os.rules.save.handler(({ input }) => [{ ...input.rule, problem: null }]),
      remove: os.rules.remove.handler(() => []),
      check: os.rules.check.handler(() => ({ stages: [{ stage: 'row', rules: 120, at: 1_780_000_000_000 }] })),
      muted: os.rules.muted.handler(() => []),
      mute: os.rules.mute.handler(({ input }) => (input.muted ? [input.rule] : [])),
    },
    news: {
      list: os.news.list.handler(() => []),
      clear: os.news.clear.handler(() => []),
    },
    launch: {
      list: os.launch.list.handler(() => ({
        total: 0,
        today: '2026-05-31',
        reviewDays: { min: 1, max: 3 },
        mediaMinutes: 30,
        launches: [],
      })),
    },
    swaps: {
      state: os.swaps.state.handler(() => null),
      begin: os.swaps.begin.handler(() => null),
      keep: os.swaps.keep.handler(() => null),
      end: os.swaps.end.handler(() => null),
    },
    verdicts: {
      rejections: os.verdicts.rejections.handler(() => ({ total: 0, rejections: [] })),
    },
    reports: memoryReports(),
    practice: {
      state: os.practice.state.handler(() => practiceState),
      advance: os.practice.advance.handler(() => practiceState),
      decide: os.practice.decide.handler(() => practiceState),
    },
  });
  const connection: Connection = {
    client: createRouterClient(router),
    files: { grant: async (file) => ({ grant: '0'.repeat(32), fileName: file.name, bytes: file.size }) },
    state: () => 'open',
    onState: () => () => {},
  };
  return { connection, account, preferences: () => preferences, announce };
}

const practiceState = {
  now: '2026-12-01T09:00:00.000Z',
  openReviews: [{ reviewId: '77', campaign: 'Paper towels', status: 'pending' }],
};
