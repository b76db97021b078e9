import { ORPCError } from '@orpc/client';
import type { AddedFile, ExportedFile, ImportPreview } from '../../../shared/api/files.ts';
import type { ViewSpec } from '../../../shared/api/workspace.ts';
import { fileRefusalText } from '../../../shared/media/file-refusal.ts';
import type { ImportColumn } from '../../../shared/spreadsheet/columns.ts';
import { en } from '../../texts/en.ts';
import { enImport } from '../../texts/en-import.ts';
import { grantOf, type IncomingFile, isRefused } from '../transport/files.ts';
import { type ActionContext, runAction } from './action-context.ts';
import { type Choosable, chosenRows, type ImportSelection } from './import-selection.ts';

export type ExportFormat = 'csv' | 'xlsx' | 'html' | 'archive' | 'changes';
/** How a sheet writes amounts: 1.50 or 1,50. */
export type Decimals = 'point' | 'comma';

/** What main asks before it shows a preview. */
export type ImportQuestion = 'needs-decimals' | 'altered';
export interface ImportAnswers {
  readonly decimals?: Decimals;
  /** Looks at a file that is not what its signer signed. */
  readonly evenAltered?: true;
  /** The sheet of a workbook that is meant, by its name. */
  readonly sheet?: string;
  /** Every line of the file is a row of its own, whatever quotes stand around it. */
  readonly linesAsRows?: true;
}

/** Files of the user on their way in, and the account as a sheet on its way out. */
export interface FileActions {
  /** Probes files and copies the good ones into the library; one answer per file, in order. */
  addMedia(files: readonly File[]): Promise<readonly AddedFile[]>;
  /** `answers` settles what an earlier preview ended with: how amounts are written, or that an altered file is looked at. */
  previewSheet(
    file: IncomingFile,
    answers: ImportAnswers,
    jobId: string,
  ): Promise<ImportPreview | ImportQuestion | null>;
  /**
   * Leaves columns out of a preview, instead of those that were before.
   *
   * @returns with what becomes of each of `lines` then
   */
  leaveColumnsOut(
    previewId: string,
    columns: readonly ImportColumn[],
    lines: readonly number[],
  ): Promise<{ readonly preview: ImportPreview; readonly becoming: readonly (Choosable | null)[] } | null>;
  /** @param filesOut keys of files that stay out */
  applySheet(
    previewId: string,
    choice: ImportSelection,
    filesOut: ReadonlySet<string>,
    jobId: string,
  ): Promise<boolean>;
  /** Forgets a preview that will not be applied. */
  dismissSheet(previewId: string): Promise<void>;
  /** Ends an import, an export or a change that goes on; what it was asked for then says so. */
  cancelTask(taskId: string): Promise<void>;
  /** The rows that cannot come in, as a sheet to correct. */
  failedRows(previewId: string): Promise<ExportedFile | null>;
  /** The account, or exactly the rows of a view in its order. */
  exportFile(format: ExportFormat, view: ViewSpec | null): Promise<ExportedFile | null>;
}

export function fileActions(doing: ActionContext): FileActions {
  const { client, files: gateway } = doing.connection;
  return {
    addMedia: async (files) => {
      const answers = await Promise.all(files.map((file) => gateway.grant(file)));
      const granted = answers.flatMap((answer) => (isRefused(answer) ? [] : [answer]));
      const added =
        granted.length === 0
          ? []
          : ((
              await runAction(doing, (workspaceId) =>
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
    previewSheet: async (file, answers, jobId) => {
      const answer = await grantOf(gateway, file);
      if (isRefused(answer)) {
        doing.notes.fail(fileRefusalText('name' in file ? file.name : file.fileName, answer.error, {}));
        return null;
      }
      return runAction(doing, async (workspaceId) => {
        try {
          return await client.exchange.preview({ workspaceId, grant: answer.grant, ...answers, jobId });
        } catch (error) {
          const question = questionOf(error);
          if (question === null) throw error;
          return question;
        }
      });
    },
    leaveColumnsOut: (previewId, columns, lines) =>
      runAction(doing, (workspaceId) =>
        client.exchange.leaveColumnsOut({ workspaceId, previewId, columns: [...columns], lines: [...lines] }),
      ),
    applySheet: async (previewId, choice, filesOut, jobId) => {
      const applied = await doing.inOrder(() =>
        runAction(doing, (workspaceId) =>
          client.exchange.apply({
            ...{ workspaceId, previewId, jobId },
            ...chosenRows(choice),
            leaveOutFiles: [...filesOut],
          }),
        ),
      );
      if (applied === null) return false;
      doing.notes.tell(en.sheet.applied(applied.added, applied.changed));
      const left = applied.refusedFiles.map(({ fileName, reason, params }) =>
        fileRefusalText(fileName, reason, params),
      );
      if (left.length > 0) doing.notes.fail(enImport.filesLeft(left));
      return true;
    },
    dismissSheet: async (previewId) => {
      await runAction(doing, (workspaceId) => client.exchange.dismiss({ workspaceId, previewId }));
    },
    cancelTask: async (taskId) => {
      await runAction(doing, () => client.tasks.cancel({ taskId }));
    },
    failedRows: (previewId) =>
      runAction(doing, (workspaceId) => client.exchange.failed({ workspaceId, previewId, format: 'csv' })),
    exportFile: (format, view) =>
      runAction(doing, (workspaceId) => client.exchange.export({ workspaceId, format, view })),
  };
}

/** How amounts are written is asked, never guessed; so is whether an altered file is looked at. */
function questionOf(error: unknown): ImportQuestion | null {
  if (!(error instanceof ORPCError) || error.code !== 'BAD_FILE') return null;
  const reason = (error.data as { readonly reason?: string } | undefined)?.reason;
  return reason === 'needs-decimals' || reason === 'altered' ? reason : null;
}
