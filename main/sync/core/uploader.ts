import type { Row } from '../../../shared/model/row.ts';
import type { Result } from '../../../shared/result.ts';
import type { AddressProblem } from '../../media/upload/address-guard.ts';
import type { PutProblem } from '../../media/upload/put-file.ts';

export type UploadProblem =
  | { readonly kind: 'address'; readonly problem: AddressProblem }
  | { readonly kind: 'put'; readonly problem: PutProblem; readonly host: string };

/** Carries the bytes of library rows to addresses the service named. */
export interface Uploader {
  /** The bytes of a small file, or the system's error code. */
  bytes(row: Row<'media'>): Promise<Result<Uint8Array<ArrayBuffer>, string>>;
  put(address: string, row: Row<'media'>, onSent: (bytes: number) => void): Promise<Result<null, UploadProblem>>;
}
