import { ASK_ALWAYS } from '../../shared/merge/merge.ts';
import { fail, ok } from '../../shared/result.ts';
import { RULES } from '../../shared/rules/registry.ts';
import { CHECK_STAGES, stageOf } from '../../shared/rules/rule.ts';
import { createUploadHosts } from '../files/upload/upload-url-check.ts';
import { POLICY_KEY } from '../sync/conflicts.ts';
import type { MainContext, MainOperations, RouterContext } from './router.ts';

/** Operations on settings of an account: rules, templates, notifications, conflict policy, upload hosts. */
export function settingOperations({
  options,
}: RouterContext): Pick<MainOperations, 'rules' | 'templates' | 'notifications' | 'conflictPolicy' | 'uploadHosts'> {
  const nowMs = (): number => options.clock.nowMs();
  const hostsOf = ({ account }: MainContext) => createUploadHosts(account.workspace, nowMs);
  return {
    rules: {
      list: async ({ account }) => ok(await account.rules.list()),
      save: ({ account }, { rule }) => account.rules.save(rule),
      savePack: ({ account }, { rules }) => account.rules.save(...rules),
      remove: async ({ account }, { id }) => ok(await account.rules.remove(id)),
      check: async ({ account: { workspace } }) => {
        // Reading issues first runs the checks postponed by edits.
        await workspace.issues(0, 0, null);
        const now = nowMs();
        const { lastRefreshAt } = await workspace.summary();
        const stages = CHECK_STAGES.map((stage) => ({
          stage,
          rules: RULES.filter((rule) => stageOf(rule) === stage).length,
          at: stage === 'service' ? lastRefreshAt : now,
        }));
        return ok({ stages });
      },
      muted: async ({ account }) => ok(await account.muted.list()),
      mute: ({ account }, { rule, muted }) => account.muted.set(rule, muted),
    },
    templates: {
      list: async ({ account }) => ok(await account.templates.list()),
      save: ({ account }, { template }) => account.templates.save(template),
      remove: async ({ account }, { name }) => ok(await account.templates.remove(name)),
    },
    notifications: {
      list: async ({ account }) => ok(await account.notifications.list()),
      clear: async ({ account }) => ok(await account.notifications.clear()),
    },
    conflictPolicy: {
      get: async ({ account: { workspace } }) => ok({ text: (await workspace.getMeta(POLICY_KEY)) ?? ASK_ALWAYS }),
      set: async ({ account: { workspace } }, { text }) => {
        await workspace.setMeta(POLICY_KEY, text);
        return ok({ text });
      },
    },
    uploadHosts: {
      list: async (context) => ok(await hostsOf(context).list()),
      set: async (context, { host, allow }) => {
        const hosts = await hostsOf(context).answer(host, allow);
        return hosts === null ? fail('NO_UPLOAD_HOST', { host }) : ok(hosts);
      },
      reset: async (context, { host }) => {
        const hosts = await hostsOf(context).forget(host);
        return hosts === null ? fail('NO_UPLOAD_HOST', { host }) : ok(hosts);
      },
    },
  };
}
