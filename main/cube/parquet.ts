import type { ExportHead, ExportTarget } from './export-metrics.ts';

/** More rows per group need a gigabyte of memory, fewer make a larger file. */
const GROUP_ROWS = 100_000;

const WHOLE = { type: 'INT64', repetition_type: 'REQUIRED' } as const;
const AMOUNT = { ...WHOLE, converted_type: 'DECIMAL', precision: 18, scale: 2 } as const;

/**
 * Parquet for analysts: the day as a date, names as text, counts as whole numbers, amounts as exact decimals. The
 * library is loaded with the first file.
 */
export async function parquetTarget(path: string): Promise<ExportTarget> {
  const { ParquetWriter, fileWriter } = await import('hyparquet-writer');
  let head: ExportHead = { texts: [], numbers: [] };
  let parquet: InstanceType<typeof ParquetWriter> | null = null;
  let columns: unknown[][] = [];

  const flush = async (): Promise<void> => {
    const [days = []] = columns;
    if (parquet === null || days.length === 0) return;
    const names = ['date', ...head.texts, ...head.numbers.map(({ name }) => name)];
    const columnData = names.map((name, at) => ({ name, data: columns[at] ?? [] }));
    await parquet.write({ columnData, rowGroupSize: GROUP_ROWS });
    columns = names.map(() => []);
  };
  return {
    begin: async (given) => {
      head = given;
      columns = [[], ...head.texts.map(() => []), ...head.numbers.map(() => [])];
      const text = (name: string) =>
        ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' }) as const;
      parquet = new ParquetWriter({
        writer: fileWriter(path),
        createdBy: 'Adslate',
        schema: [
          { name: 'root', num_children: columns.length },
          { name: 'date', type: 'INT32', converted_type: 'DATE', repetition_type: 'REQUIRED' },
          ...head.texts.map(text),
          ...head.numbers.map(({ name, isCount }) => ({ ...(isCount ? WHOLE : AMOUNT), name })),
        ],
      });
    },
    day: async ({ day, rows, texts, numbers }) => {
      const date = new Date(`${day}T00:00:00Z`);
      for (let from = 0; from < rows; ) {
        const to = Math.min(rows, from + GROUP_ROWS - (columns[0]?.length ?? 0));
        for (let row = from; row < to; row++) {
          columns[0]?.push(date);
          for (const [at, column] of texts.entries()) columns[1 + at]?.push(column[row] ?? '');
          for (const [at, column] of numbers.entries()) {
            columns[1 + texts.length + at]?.push(BigInt(column[row] ?? 0));
          }
        }
        from = to;
        if ((columns[0]?.length ?? 0) >= GROUP_ROWS) await flush();
      }
    },
    end: async () => {
      await flush();
      await parquet?.finish();
    },
  };
}
