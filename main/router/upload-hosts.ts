import type { UploadHost } from '../../shared/contract/upload-hosts.ts';
import type { WorkspaceId } from '../../shared/model/scalars.ts';
import { createUploadHosts, type UploadHosts } from '../sync/uploader.ts';
import { type OpeningErrors, opened } from './opening.ts';
import { type CoreParts, os } from './parts.ts';

export const uploadHostsRouter = ({ open, options }: CoreParts) => {
  const hostsOf = async (workspaceId: WorkspaceId, errors: OpeningErrors): Promise<UploadHosts> =>
    createUploadHosts((await opened(open, workspaceId, errors)).workspace, () => options.clock.nowMs());
  return {
    list: os.uploadHosts.list.handler(async ({ input, errors }) => [
      ...(await (await hostsOf(input.workspaceId, errors)).list()),
    ]),
    answer: os.uploadHosts.answer.handler(async ({ input, errors }) => {
      const hosts = await (await hostsOf(input.workspaceId, errors)).answer(input.host, input.allow);
      return known(hosts, input.host, errors);
    }),
    forget: os.uploadHosts.forget.handler(async ({ input, errors }) => {
      const hosts = await (await hostsOf(input.workspaceId, errors)).forget(input.host);
      return known(hosts, input.host, errors);
    }),
  };
};

interface HostErrors {
  readonly NO_UPLOAD_HOST: (facts: { data: { host: string } }) => Error;
}

function known(hosts: readonly UploadHost[] | null, host: string, errors: HostErrors): UploadHost[] {
  if (hosts === null) throw errors.NO_UPLOAD_HOST({ data: { host } });
  return [...hosts];
}
