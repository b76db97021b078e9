import { shownToMembers } from './tables.ts';

/**
 * Files of the media library, in parts of 1 MiB under the hash of their bytes. A lost connection costs one part. The
 * computer that fetches a file checks the hash, since the database can't hash 4 GiB. A damaged file is dropped, so that
 * a computer that has it sends it again.
 */
export const MEDIA_SQL = `
CREATE TABLE blob (
  workspace uuid NOT NULL REFERENCES workspace,
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  bytes bigint NOT NULL CHECK (bytes BETWEEN 1 AND 4294967296),
  name text NOT NULL CHECK (length(name) <= 255),
  is_whole boolean NOT NULL DEFAULT false,
  desk int NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (workspace, sha256)
);

CREATE TABLE blob_part (
  workspace uuid NOT NULL,
  sha256 bytea NOT NULL,
  no int NOT NULL,
  bytes bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 1048576),
  PRIMARY KEY (workspace, sha256, no),
  FOREIGN KEY (workspace, sha256) REFERENCES blob ON DELETE CASCADE
);
ALTER TABLE blob_part ALTER bytes SET STORAGE EXTERNAL;

${shownToMembers('blob', 'blob_part')}

/* The policy may set another quota, in bytes. */
CREATE FUNCTION media_quota(of uuid) RETURNS bigint
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT coalesce((w.policy->>'mediaQuota')::bigint, 21474836480) FROM adslate.workspace w WHERE w.id = of
$$;

/* Starts or resumes a file. Answers whole, go with the stored parts, or quota. */
CREATE FUNCTION blob_begin_v1(of uuid, desk_no int, hash bytea, byte_count bigint, file_name text, OUT answer text, OUT there int[])
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  known adslate.blob;
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'edit');
  PERFORM FROM adslate.workspace w WHERE w.id = of FOR UPDATE;
  -- What nobody has gone on with for two weeks makes room.
  DELETE FROM adslate.blob b WHERE b.workspace = of AND NOT b.is_whole AND b.at < clock_timestamp() - interval '14 days';
  SELECT * INTO known FROM adslate.blob b WHERE b.workspace = of AND b.sha256 = hash;
  IF known.bytes IS NULL THEN
    IF (SELECT coalesce(sum(b.bytes), 0) FROM adslate.blob b WHERE b.workspace = of) + byte_count > adslate.media_quota(of) THEN
      answer := 'quota';
      RETURN;
    END IF;
    INSERT INTO adslate.blob (workspace, sha256, bytes, name, desk, at) VALUES (of, hash, byte_count, file_name, desk_no, clock_timestamp());
  ELSE
    UPDATE adslate.blob b SET at = clock_timestamp() WHERE b.workspace = of AND b.sha256 = hash;
  END IF;
  answer := CASE WHEN known.is_whole THEN 'whole' ELSE 'go' END;
  there := ARRAY(SELECT p.no FROM adslate.blob_part p WHERE p.workspace = of AND p.sha256 = hash AND NOT known.is_whole ORDER BY p.no);
END $$;

/* Stores a part; all but the last have 1 MiB. A stored part is not replaced. */
CREATE FUNCTION blob_part_v1(of uuid, desk_no int, hash bytea, part_no int, body bytea) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
DECLARE
  known adslate.blob;
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'edit');
  SELECT * INTO known FROM adslate.blob b WHERE b.workspace = of AND b.sha256 = hash FOR SHARE;
  IF known.bytes IS NULL OR known.is_whole OR part_no < 0
    OR octet_length(body) <> least(1048576, known.bytes - part_no * 1048576::bigint) THEN
    RAISE EXCEPTION 'this is no part of a file that is being sent' USING ERRCODE = '22023';
  END IF;
  INSERT INTO adslate.blob_part VALUES (of, hash, part_no, body) ON CONFLICT DO NOTHING;
END $$;

/* Completes a file. @returns whether all of its parts are stored */
CREATE FUNCTION blob_end_v1(of uuid, desk_no int, hash bytea) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'edit');
  UPDATE adslate.blob b SET is_whole = true WHERE b.workspace = of AND b.sha256 = hash AND b.bytes =
    (SELECT sum(octet_length(p.bytes)) FROM adslate.blob_part p WHERE p.workspace = of AND p.sha256 = hash);
  RETURN FOUND;
END $$;

/* Drops a file whose bytes don't match its hash. */
CREATE FUNCTION blob_drop_v1(of uuid, desk_no int, hash bytea) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET synchronous_commit = on AS $$
BEGIN
  PERFORM adslate.own_desk(of, desk_no, 'edit');
  DELETE FROM adslate.blob b WHERE b.workspace = of AND b.sha256 = hash;
  PERFORM adslate.noted(of, 'file dropped', jsonb_build_object('sha256', encode(hash, 'hex')));
END $$;

GRANT EXECUTE ON FUNCTION blob_begin_v1, blob_part_v1, blob_end_v1, blob_drop_v1 TO adslate_member;
`;
