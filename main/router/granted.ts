import type { FileRefusal } from '../../shared/media/file-refusal.ts';
import type { FileGrants, GrantedFile } from '../core-types.ts';
import { grantRefusal } from '../media/add-media.ts';

type BadFileError = (facts: {
  data: { fileName: string; reason: string; params: Record<string, string | number> };
}) => Error;

interface GrantErrors {
  readonly NO_GRANT: (facts: { data: { grant: string } }) => Error;
  readonly BAD_FILE: BadFileError;
}

/** The file behind a grant, looked at once more, or one of the operation's declared errors. */
export async function granted(
  grants: Pick<FileGrants, 'resolve'>,
  grant: string,
  errors: GrantErrors,
): Promise<GrantedFile> {
  const file = await grants.resolve(grant);
  if (file === null) throw errors.NO_GRANT({ data: { grant } });
  if (!file.ok) throw badFile(file.error.fileName, grantRefusal(file.error), errors.BAD_FILE);
  return file.value;
}

/** Why a file cannot be used, as the declared error. */
export const badFile = (fileName: string, { reason, params }: FileRefusal, make: BadFileError): Error =>
  make({ data: { fileName, reason, params: { ...params } } });
