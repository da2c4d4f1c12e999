from chat_app.agent.orders import find_order, numbers_in


def test_orders_are_found_by_number():
    assert find_order("T-1042").customer == "Ines Marlow"
    assert find_order("T-9999") is None


def test_numbers_are_read_from_a_line_once_each_in_the_books_spelling():
    assert numbers_in("Where are t1077, T-1042 and T-1077?") == ["T-1077", "T-1042"]
    assert numbers_in("Where is it?") == []


def test_the_facts_of_an_order_name_it():
    assert find_order("T-1077").facts()["order"] == "T-1077"
