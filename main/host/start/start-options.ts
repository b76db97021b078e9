import { parseArgs } from 'node:util';
import { err, ok, type Result } from '../../../shared/result.ts';

/** What a person or a program may say at the start of a host. Words that are not known are refused, not ignored. */
export interface StartOptions {
  readonly dataDir: string | null;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly open: boolean;
  /** Opens on a practice account, which is made when there is none. */
  readonly practice: boolean;
  readonly readyJson: boolean;
}

const PORT_MAX = 65_535;

export function readStartOptions(args: readonly string[]): Result<StartOptions, { readonly message: string }> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        data: { type: 'string' },
        port: { type: 'string', default: '0' },
        'no-open': { type: 'boolean', default: false },
        practice: { type: 'boolean', default: false },
        'ready-json': { type: 'boolean', default: false },
      },
    });
    const port = Number(values.port);
    if (!/^\d+$/.test(values.port) || port > PORT_MAX) {
      return err({
        message: `--port takes a number from 0 to ${PORT_MAX}, not "${values.port}". 0 lets the system choose.`,
      });
    }
    if (values.data === '') return err({ message: '--data is empty. Name the folder, or leave the option out.' });
    return ok({
      dataDir: values.data ?? null,
      port,
      open: !values['no-open'],
      practice: values.practice,
      readyJson: values['ready-json'],
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return err({
      message: `${error.message.replace(/\.?$/, '.')} Known are --data, --port, --no-open, --practice and --ready-json.`,
    });
  }
}
