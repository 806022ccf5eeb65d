"""Tests of the parts of the queue's checks that need no server."""

import socket
import tempfile
import threading
import unittest
from pathlib import Path
from xml.etree import ElementTree

from tablesight_tools.pictures import with_comment
from tablesight_tools.promises import machines, queue_bench, queue_rates
from tablesight_tools.promises.nats import NatsClient, NatsServer

ROW = (
    '{"label":{"processing":{"nova":1}},"processing":{"attempt":1,"timingsMs":{"text":3.5},"worker":"%s"},'
    '"source":{"path":"a.jpg"}}'
)


class RowTests(unittest.TestCase):
    def test_only_the_processing_of_the_outcome_is_left_out(self) -> None:
        path, text = queue_rates._bare(ROW % "local")
        self.assertEqual(path, "a.jpg")
        self.assertEqual((path, text), queue_rates._bare(ROW % "kitchen-2"))
        self.assertIn('"processing":{"nova":1}', text)
        self.assertNotIn("timingsMs", text)

    def test_another_value_is_a_difference(self) -> None:
        one, other = ROW % "local", (ROW % "local").replace('"nova":1', '"nova":2')
        self.assertNotEqual(queue_rates._bare(one), queue_rates._bare(other))

    def test_a_row_without_processing_is_an_error(self) -> None:
        with self.assertRaises(RuntimeError):
            queue_rates._bare('{"source":{"path":"a.jpg"}}')


class RecipeTests(unittest.TestCase):
    def test_the_documentation_has_both_parts(self) -> None:
        self.assertIn("tablesight watch", machines.recipe("daemon"))
        self.assertIn("tablesight work", machines.recipe("worker"))

    def test_what_scp_fetches_is_copied_and_only_the_owner_can_read_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "one"), Path(folder, "two")
            (source / "queue").mkdir(parents=True)
            target.mkdir()
            (source / "queue/worker.nk").write_text("SU")
            rest = machines.copied("scp kitchen.example:queue/worker.nk .\ntablesight work\n", source, target)
            self.assertEqual(rest, "tablesight work")
            self.assertEqual((target / "worker.nk").read_text(), "SU")
            self.assertEqual((target / "worker.nk").stat().st_mode & 0o777, 0o600)


class ClientTests(unittest.TestCase):
    def test_messages_with_and_without_headers_are_read_and_states_are_left_out(self) -> None:
        head = b"NATS/1.0\r\nNats-Msg-Id: 7\r\n\r\n"
        said = b"INFO {}\r\nPING\r\n"
        said += b"HMSG _INBOX.hostile 1 %d %d\r\n%s\r\n" % (29, 29, b"NATS/1.0 408 Timeout\r\n\r\n     ")
        said += b"HMSG _INBOX.hostile 1 $JS.ACK.x %d %d\r\n%sjob\r\n" % (len(head), len(head) + 3, head)
        said += b"MSG _INBOX.hostile 1 2\r\nok\r\n"
        with socket.create_server(("127.0.0.1", 0)) as listener:

            def serve() -> None:
                connection, _ = listener.accept()
                with connection:
                    connection.sendall(said)
                    # Closing before the client has sent everything would take back what it has not read.
                    while connection.recv(4096):
                        pass

            thread = threading.Thread(target=serve, daemon=True)
            thread.start()
            server = NatsServer.__new__(NatsServer)
            server.host, server.port = listener.getsockname()
            client = NatsClient(server)
            self.assertEqual(client.receive(), ("$JS.ACK.x", b"job"))
            self.assertEqual(client.receive(), ("", b"ok"))
            client.close()
            thread.join()


class PictureTests(unittest.TestCase):
    def test_the_plot_is_a_picture_with_one_bar_a_point(self) -> None:
        series = {"batch --queue": [(1, 1.9), (64, 120.0)], "watch --queue": [(1, 1.8), (64, 90.0)]}
        root = ElementTree.fromstring(queue_bench.plot(series))
        shown = [one.text for one in root.iter() if (one.text or "").startswith("0.")]
        self.assertIn("0.938", shown, "120 of 128 photos a second")

    def test_a_comment_changes_the_bytes_of_a_jpeg_and_not_its_end(self) -> None:
        jpeg = b"\xff\xd8rest"
        self.assertNotEqual(with_comment(jpeg, "one"), with_comment(jpeg, "two"))
        self.assertTrue(with_comment(jpeg, "one").endswith(b"rest"))


if __name__ == "__main__":
    unittest.main()
