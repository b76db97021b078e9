import type { Row } from '../../../shared/model/row.ts';
import type { Result } from '../../../shared/result.ts';
import type { AddressProblem } from '../../media/upload/address-guard.ts';
import type { PutProblem } from '../../media/upload/put-file.ts';

export type UploadProblem =
  | { readonly kind: 'address'; readonly problem: AddressProblem }
  | { readonly kind: 'put'; readonly problem: PutProblem };

/** Carries the bytes of one library row to an address the service named. */
export interface Uploader {
  put(address: string, row: Row<'media'>, onSent: (bytes: number) => void): Promise<Result<null, UploadProblem>>;
}
