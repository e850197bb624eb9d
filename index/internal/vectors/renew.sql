-- From version 1, in which a vector was that of a whole memory and was kept by the
-- hash of its content. A short memory's only passage has the same text and hash.

ALTER TABLE vectors RENAME COLUMN content TO passage;
ALTER TABLE chunks RENAME TO blocks;
ALTER TABLE blocks RENAME COLUMN chunk TO block;
ALTER TABLE blocks RENAME COLUMN contents TO passages;
