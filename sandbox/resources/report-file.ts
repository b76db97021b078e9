import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import type { ReportRow } from './report-rows.ts';

/** Report files: CSV, plain or packed. The first row that has a column decides that the column exists. */
export const fileFormats = ['csv', 'gzip', 'zip'] as const;
export type FileFormat = (typeof fileFormats)[number];

export function reportFile(rows: readonly ReportRow[], format: FileFormat): Buffer {
  const text = Buffer.from(csvOf(rows));
  if (format === 'gzip') return gzipSync(text);
  return format === 'zip' ? zipOf('report.csv', text) : text;
}

function csvOf(rows: readonly ReportRow[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = rows.map((row) => columns.map((column) => cellOf(row[column])).join(','));
  return `${[columns.map((column) => cellOf(column)).join(','), ...lines].join('\r\n')}\r\n`;
}

function cellOf(value: string | number | undefined): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A ZIP archive with one deflated file: local header, data, central directory, end record. */
function zipOf(name: string, content: Buffer): Buffer {
  const data = deflateRawSync(content);
  const nameBytes = Buffer.from(name);
  // Fields common to both headers: version, flags, method, time, date, CRC, sizes, lengths of name and extra field.
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(8, 4);
  shared.writeUInt16LE(0x21, 8);
  shared.writeUInt32LE(crc32(content), 10);
  shared.writeUInt32LE(data.length, 14);
  shared.writeUInt32LE(content.length, 18);
  shared.writeUInt16LE(nameBytes.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, nameBytes]);
  const central = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00', 'latin1'),
    shared,
    // Comment length, disk, attributes and the offset of the local header: all zero for a single file.
    Buffer.alloc(14),
    nameBytes,
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length + data.length, 16);
  return Buffer.concat([local, data, central, end]);
}
