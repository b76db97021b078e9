import type { UploadHost } from '../../../../shared/contract/upload-hosts.ts';
import type { Command, Context } from '../command.ts';
import { EXIT, usageStop } from '../stop.ts';
import { counted } from '../table.ts';

const ACTS = ['allow', 'refuse', 'forget'] as const;

export const uploadHostsCommand: Command = {
  name: 'upload-hosts',
  takes: '[allow|refuse|forget HOST]',
  summary:
    'Lists hosts outside the list of the deployment to which the service wants files sent, and what was said of them. allow and refuse answer for this account and this host alone; forget takes the answer back.',
  options: {},
  positionals: { min: 0, max: 2 },
  run: async (context) => {
    const { client, workspaceId } = await context.atAccount();
    const [named, host] = context.positionals;
    if (named === undefined) return show(context, await client.uploadHosts.list({ workspaceId }));
    const act = ACTS.find((one) => one === named);
    if (act === undefined || host === undefined)
      throw usageStop('Write: adslate upload-hosts allow|refuse|forget HOST.');
    const hosts =
      act === 'forget'
        ? await client.uploadHosts.forget({ workspaceId, host })
        : await client.uploadHosts.answer({ workspaceId, host, allow: act === 'allow' });
    return show(context, hosts);
  },
};

function show({ output }: Context, hosts: readonly UploadHost[]) {
  for (const { host, shown, state, files } of hosts) {
    const name = host === shown ? host : `${host} (${shown})`;
    const what = files.map((file) => `${file.name} (${counted(file.bytes, 'byte')})`).join(', ');
    output.say(`${name}  ${state}  ${what}`);
  }
  if (hosts.length === 0) output.say('No host was asked about: uploads go where the deployment says.');
  output.result({ hosts });
  return hosts.some(({ state }) => state === 'asked') ? EXIT.needsUser : EXIT.done;
}
