import type { ExportedFile, ImportPreview } from '../../shared/contract/exchange.ts';
import type { AddedFile } from '../../shared/contract/files.ts';
import { fileRefusalText } from '../../shared/media/file-refusal.ts';
import { en } from '../messages/en.ts';
import { isRefused } from '../transport/files.ts';
import { attempt, type Doing } from './doing.ts';

/** Files of the user on their way in, and the account as a sheet on its way out. */
export interface FileActions {
  /** Probes files and copies the good ones into the library; one answer per file, in order. */
  addMedia(files: readonly File[]): Promise<readonly AddedFile[]>;
  previewSheet(file: File): Promise<ImportPreview | null>;
  applySheet(previewId: string): Promise<boolean>;
  exportSheet(): Promise<ExportedFile | null>;
}

export function fileActions(doing: Doing): FileActions {
  const { client, files: gateway } = doing.connection;
  return {
    addMedia: async (files) => {
      const answers = await Promise.all(files.map((file) => gateway.grant(file)));
      const granted = answers.flatMap((answer) => (isRefused(answer) ? [] : [answer]));
      const added =
        granted.length === 0
          ? []
          : ((
              await attempt(doing, (workspaceId) =>
                client.media.add({ workspaceId, grants: granted.map(({ grant }) => grant) }),
              )
            )?.files ?? []);
      const rest = [...added];
      return answers.flatMap((answer, i): AddedFile[] => {
        if (isRefused(answer)) {
          return [{ outcome: 'refused', fileName: files[i]?.name ?? '', reason: answer.error, params: {} }];
        }
        const outcome = rest.shift();
        return outcome === undefined ? [] : [outcome];
      });
    },
    previewSheet: async (file) => {
      const answer = await gateway.grant(file);
      if (isRefused(answer)) {
        doing.notes.fail(fileRefusalText(file.name, answer.error, {}));
        return null;
      }
      return attempt(doing, (workspaceId) => client.exchange.preview({ workspaceId, grant: answer.grant }));
    },
    applySheet: async (previewId) => {
      const applied = await attempt(doing, (workspaceId) => client.exchange.apply({ workspaceId, previewId }));
      if (applied !== null) doing.notes.tell(en.sheet.applied(applied.added, applied.changed));
      return applied !== null;
    },
    exportSheet: () => attempt(doing, (workspaceId) => client.exchange.export({ workspaceId })),
  };
}
