import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.QueryBuilder;

/**
 * Serves the protocol of conformance/ir/peer with Lucene: EnglishAnalyzer, BM25
 * with k1 1.2 and b 0.75, one field with positions and without its text, merges
 * and searches on the calling thread, any term may match.
 */
public final class Lucene {
    private final Analyzer analyzer = new EnglishAnalyzer();
    private final QueryBuilder builder = new QueryBuilder(analyzer);
    private List<String[]> documents = new ArrayList<>();
    private IndexSearcher searcher;

    public static void main(String[] arguments) throws IOException {
        Lucene engine = new Lucene();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line; (line = in.readLine()) != null; ) {
            String reply;
            try {
                reply = engine.answer(new Json(line).object());
            } catch (IOException | RuntimeException error) {
                reply = "{\"error\":" + Json.quote(error.toString()) + "}";
            }
            out.println(reply);
            out.flush();
        }
    }

    private String answer(Map<String, String> request) throws IOException {
        switch (request.get("op")) {
            case "read":
                return read(Path.of(request.get("path")));
            case "build":
                return build(Path.of(request.get("folder")));
            default:
                return query(request.getOrDefault("q", ""), Integer.parseInt(request.get("k")));
        }
    }

    private String read(Path path) throws IOException {
        documents = new ArrayList<>();
        try (BufferedReader lines = Files.newBufferedReader(path)) {
            for (String line; (line = lines.readLine()) != null; ) {
                if (line.isEmpty()) {
                    continue;
                }
                Map<String, String> d = new Json(line).object();
                String title = d.getOrDefault("title", "");
                documents.add(new String[] {d.get("id"), title.isEmpty() ? d.get("text") : title + "\n" + d.get("text")});
            }
        }
        return "{\"count\":" + documents.size() + "}";
    }

    private String build(Path folder) throws IOException {
        long from = System.nanoTime();
        Directory directory = FSDirectory.open(folder);
        IndexWriterConfig config = new IndexWriterConfig(analyzer);
        config.setSimilarity(new BM25Similarity(1.2f, 0.75f));
        config.setMergeScheduler(new SerialMergeScheduler());
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (String[] d : documents) {
                Document document = new Document();
                document.add(new StoredField("id", d[0]));
                document.add(new TextField("text", d[1], Field.Store.NO));
                writer.addDocument(document);
            }
        }
        searcher = new IndexSearcher(DirectoryReader.open(directory));
        searcher.setSimilarity(new BM25Similarity(1.2f, 0.75f));
        documents = null;
        long time = System.nanoTime() - from;
        long bytes = 0;
        for (String name : directory.listAll()) {
            bytes += directory.fileLength(name);
        }
        System.gc();
        return "{\"ns\":" + time + ",\"bytes\":" + bytes + "}";
    }

    private String query(String text, int k) throws IOException {
        long from = System.nanoTime();
        List<String> ids = new ArrayList<>();
        Query query = builder.createBooleanQuery("text", text);
        if (query != null) {
            for (ScoreDoc hit : searcher.search(query, k).scoreDocs) {
                ids.add(searcher.storedFields().document(hit.doc).get("id"));
            }
        }
        long time = System.nanoTime() - from;
        StringBuilder reply = new StringBuilder("{\"ns\":").append(time).append(",\"ids\":[");
        for (int i = 0; i < ids.size(); i++) {
            reply.append(i == 0 ? "" : ",").append(Json.quote(ids.get(i)));
        }
        return reply.append("]}").toString();
    }

    /** Reads one flat object of strings and numbers. */
    private static final class Json {
        private final String in;
        private int at;

        Json(String in) {
            this.in = in;
        }

        Map<String, String> object() {
            Map<String, String> members = new HashMap<>();
            expect('{');
            for (space(); in.charAt(at) != '}'; space()) {
                if (!members.isEmpty()) {
                    expect(',');
                }
                space();
                String name = string();
                space();
                expect(':');
                space();
                members.put(name, in.charAt(at) == '"' ? string() : number());
            }
            return members;
        }

        private void space() {
            while (in.charAt(at) == ' ') {
                at++;
            }
        }

        private void expect(char c) {
            if (in.charAt(at) != c) {
                throw new IllegalArgumentException("byte " + at + ": want " + c);
            }
            at++;
        }

        private String number() {
            int from = at;
            while (",} ".indexOf(in.charAt(at)) < 0) {
                at++;
            }
            return in.substring(from, at);
        }

        private String string() {
            expect('"');
            StringBuilder out = new StringBuilder();
            while (in.charAt(at) != '"') {
                char c = in.charAt(at++);
                out.append(c == '\\' ? escaped() : c);
            }
            at++;
            return out.toString();
        }

        private char escaped() {
            char c = in.charAt(at++);
            int simple = "bfnrt".indexOf(c);
            if (simple >= 0) {
                return "\b\f\n\r\t".charAt(simple);
            }
            if (c != 'u') {
                return c;
            }
            at += 4;
            return (char) Integer.parseInt(in.substring(at - 4, at), 16);
        }

        static String quote(String s) {
            StringBuilder out = new StringBuilder("\"");
            for (char c : s.toCharArray()) {
                if (c == '"' || c == '\\') {
                    out.append('\\').append(c);
                } else if (c < ' ') {
                    out.append(String.format("\\u%04x", (int) c));
                } else {
                    out.append(c);
                }
            }
            return out.append('"').toString();
        }
    }
}
